/**
 * The floor of `bench jobs`: the same statements on the same server, without services, network and agents. One job is one creation and
 * four changes of state, each of 25 jobs in one statement. The floor has a database of its own, so that no rows of the services slow it down.
 */
import { changeStates, requestedChanges } from '@platen/jobs/change-state.ts'
import { createJobs } from '@platen/jobs/create-jobs.ts'
import { MIGRATIONS } from '@platen/jobs/migrations/migrations.ts'
import type { Trigger } from '@platen/jobs/states.ts'
import { sampleJob } from '@platen/jobs/tests/start-test-jobs.ts'
import { hotConnectionSettings } from '@platen/runtime/database/connection-settings.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { Client, Pool } from 'pg'
import { createTestProcess } from '../harness/test-process.ts'

const CONNECTIONS = 8
export const BATCH = 25

/** Of the size of those of the load. */
const CONTENT = Buffer.from(`%PDF-1.7\n${'x'.repeat(2000)}`)

export async function createBatch(pool: Pool): Promise<string[]> {
  const jobs = Array.from({ length: BATCH }, () => ({ ...sampleJob(new Date()), storageKey: null, content: CONTENT }))
  await createJobs(pool, jobs)
  return jobs.map(({ id }) => id)
}

/** One statement for each trigger. */
export async function changeBatch(
  pool: Pool,
  jobIds: string[],
  triggers: Trigger[] = ['push', 'acknowledge', 'print', 'complete'],
): Promise<void> {
  for (const trigger of triggers)
    await changeStates(pool, requestedChanges(jobIds.map((jobId) => ({ jobId, trigger, actor: 'system' }))), new Date())
}

/** @returns jobs a second in each phase. */
export async function measureFloor(databaseUrl: string, phases: number, seconds: number): Promise<number[]> {
  const url = await createFloor(databaseUrl)
  const pool = new Pool({ connectionString: url, max: CONNECTIONS, ...hotConnectionSettings('floor') })
  // `end` does not wait until the server has closed the connections, and the server may be stopped next.
  pool.on('error', () => undefined)
  const rates: number[] = []
  while (rates.length < phases) {
    const startedAt = performance.now()
    let jobs = 0
    const work = async () => {
      for (; performance.now() - startedAt < seconds * 1000; jobs += BATCH)
        await changeBatch(pool, await createBatch(pool))
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    rates.push(Math.round((jobs / (performance.now() - startedAt)) * 1000))
  }
  await pool.end()
  return rates
}

async function createFloor(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('CREATE DATABASE floor').finally(() => client.end())
  const url = Object.assign(new URL(databaseUrl), { pathname: '/floor' }).href
  await migrate(createTestProcess('floor').log, parseDatabaseUrl(url), 'jobs', MIGRATIONS)
  return url
}
