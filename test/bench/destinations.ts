/**
 * `npm run bench -- destinations [jobs]`: what a claim costs while so many jobs wait for one destination with 20
 * printers, each of which prints a job a second, and as many as it can. A job is created for each that is taken.
 */
import { create } from '@bufbuild/protobuf'
import { createJobs } from '@platen/jobs/create-jobs.ts'
import { createRecentDocuments } from '@platen/jobs/documents/recent-documents.ts'
import type { Jobs } from '@platen/jobs/jobs.ts'
import { MIGRATIONS } from '@platen/jobs/migrations/migrations.ts'
import { claimDestinationJob } from '@platen/jobs/rpc/claim-destination-job.ts'
import { sampleJob } from '@platen/jobs/tests/start-test-jobs.ts'
import { ClaimDestinationJobRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { systemClock } from '@platen/runtime/clock.ts'
import { hotConnectionSettings } from '@platen/runtime/database/connection-settings.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { CALLS_AT_ONCE } from '@platen/runtime/rpc/in-turn.ts'
import { createTurns } from '@platen/runtime/turns.ts'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { createTestProcess } from '../harness/test-process.ts'
import { BATCH, changeBatch } from './floor.ts'
import { openPool, withPostgres } from './postgres.ts'
import { percentiles, printTable, runClients, runSteadily } from './report.ts'

const PRINTERS = 20
const SECONDS = 20
const WARM_UP_SECONDS = 5
const [organizationId, destinationId] = [uuidv7(), uuidv7()]
const PLANNED = { printerId: uuidv7(), computerId: uuidv7() }
/** A replica of jobs serves the calls of an organization in this way. */
const inTurn = createTurns({ atOnce: Number.POSITIVE_INFINITY, perOwner: CALLS_AT_ONCE })

export const benchDestinations = (waiting: number) => withPostgres((url) => measureIn(url, waiting))

async function measureIn(url: string, waiting: number): Promise<void> {
  const pool = openPool({ connectionString: url, max: 8, ...hotConnectionSettings('bench') })
  try {
    await migrate(createTestProcess('bench').log, parseDatabaseUrl(url), 'jobs', MIGRATIONS)
    console.log(`making ${waiting} jobs …`)
    for (let n = 0; n < waiting; n += BATCH) await addJobs(pool, Math.min(BATCH, waiting - n))
    const printers = await Promise.all(Array.from({ length: PRINTERS }, () => addPrinter(pool)))
    await pool.query('VACUUM ANALYZE')
    const saturate = async (seconds: number) => {
      const times: number[] = []
      await Promise.all(printers.map((print) => runClients(1, seconds, async () => times.push(await print()))))
      return times
    }
    await saturate(WARM_UP_SECONDS)
    console.log('measuring …')
    const printInTurn = async (_: number, n: number) => (await printers[n % PRINTERS]?.()) ?? Number.NaN
    const steady = await runSteadily(PRINTERS, PRINTERS * SECONDS, printInTurn)
    const full = await saturate(SECONDS)
    printTable({
      'waiting jobs': (await pool.query('SELECT FROM jobs.job WHERE waiting_destination_id IS NOT NULL')).rowCount ?? 0,
      ...percentiles(`claim at ${PRINTERS}/s`, steady),
      'claims/s as fast as the printers can': Math.round(full.length / SECONDS),
      ...percentiles('claim as fast as the printers can, with its turn', full),
    })
  } finally {
    await pool.end()
  }
}

async function addJobs(pool: Pool, count: number): Promise<void> {
  const facts = { ...PLANNED, organizationId, destinationId, requestedOptions: {} }
  await createJobs(
    pool,
    Array.from({ length: count }, () => ({ ...sampleJob(new Date()), ...facts })),
  )
}

/**
 * @returns what takes a job, prints it, and creates another one. It returns the milliseconds of the claim, with its
 *   turn.
 */
async function addPrinter(pool: Pool): Promise<() => Promise<number>> {
  const [computerId, printerId] = [uuidv7(), uuidv7()]
  await pool.query('INSERT INTO jobs.computer_fence (computer_id, epoch) VALUES ($1, 1)', [computerId])
  const nothing = () => undefined
  const service = { pool, clock: systemClock, recentDocuments: createRecentDocuments() }
  const jobs = { ...service, eventsAdded: nothing, announceWaiting: nothing } as unknown as Jobs
  const turns = [{ destinationId, revision: 1n, passedPrinters: [] }]
  const facts = { organizationId, computerId, epoch: 1n, printerId, printer: {}, turns }
  const request = create(ClaimDestinationJobRequestSchema, facts)
  return async () => {
    const startedAt = performance.now()
    const { job } = await inTurn(organizationId, () => claimDestinationJob(jobs, request))
    const ms = performance.now() - startedAt
    if (!job) throw new Error('The printer got no job.')
    await changeBatch(pool, [job.jobId], ['acknowledge', 'print', 'complete'])
    await addJobs(pool, 1)
    return ms
  }
}
