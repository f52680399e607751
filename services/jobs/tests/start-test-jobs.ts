import { randomBytes } from 'node:crypto'
import { MikroORM } from '@mikro-orm/postgresql'
import { hotConnectionSettings } from '@platen/runtime/database/connection-settings.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { createTestClock, type TestClock } from '@platen/test/harness/test-clock.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import { createJobRow, type NewJob } from '../create-job-row.ts'
import { JobEntity, JobEventEntity } from '../entities.ts'
import { createVault } from '../fetches/vault.ts'
import type { Jobs } from '../jobs.ts'
import type { JobState } from '../states.ts'

export interface TestJobs extends Jobs {
  clock: TestClock
  databaseUrl: string
  /** Ids of the computers that were woken, in order. */
  woken: string[]
  /** Ids of the jobs that were announced as queued. */
  announced: string[]
  /** A job that was just accepted. */
  addJob(facts?: Partial<NewJob>): Promise<string>
  /** Puts a job where a test wants it, past all rules. */
  force(jobId: string, state: JobState): Promise<void>
  stateOf(jobId: string): Promise<string>
  eventStates(jobId: string): Promise<string[]>
  eventMessages(jobId: string): Promise<(string | null)[]>
  eventActors(jobId: string): Promise<string[]>
}

/** The jobs service's domain on a database of its own, without relay, timers and network. */
export async function startTestJobs(): Promise<TestJobs> {
  const url = await createDatabase()
  // A burst of a thousand calls waits for its connections as long as it must.
  const settings = { ...hotConnectionSettings('test jobs'), connectionTimeoutMillis: 0 }
  const pool = new Pool({ connectionString: url, max: 8, ...settings })
  const orm = await MikroORM.init({ clientUrl: url, schema: 'jobs', entities: [JobEntity, JobEventEntity] })
  onTestFinished(async () => {
    await orm.close()
    await pool.end()
  })
  const clock = createTestClock()
  const woken: string[] = []
  const announced: string[] = []
  const column = async <T>(sql: string, values: unknown[]): Promise<T[]> => {
    const { rows } = await pool.query<{ value: T }>(sql, values)
    return rows.map(({ value }) => value)
  }
  return {
    pool,
    orm,
    clock,
    databaseUrl: url,
    testJobsPerDay: 500,
    idempotencyKeyMs: 24 * 60 * 60 * 1000,
    vault: createVault(randomBytes(32)),
    fetchHeldMs: 60 * 60_000,
    fileRetentionMs: 604_800_000,
    fetchesAdded: () => undefined,
    woken,
    announced,
    eventsAdded: () => undefined,
    announceQueued: (_, jobId) => void announced.push(jobId),
    wakeComputers: (ids) => void woken.push(...ids),
    async addJob(facts = {}) {
      const job = { ...sampleJob(facts.createdAt ?? clock.now()), ...facts }
      await createJobRow(pool, job, 'api')
      return job.id
    },
    async force(jobId, state) {
      await pool.query(`UPDATE jobs.job SET state = $2 WHERE id = $1`, [jobId, state])
    },
    async stateOf(jobId) {
      const [state] = await column<string>(`SELECT state AS value FROM jobs.job WHERE id = $1`, [jobId])
      return state ?? 'missing'
    },
    eventStates: (jobId) =>
      column(`SELECT state AS value FROM jobs.job_event WHERE job_id = $1 ORDER BY sequence`, [jobId]),
    eventMessages: (jobId) =>
      column(`SELECT message AS value FROM jobs.job_event WHERE job_id = $1 ORDER BY sequence`, [jobId]),
    eventActors: (jobId) =>
      column(`SELECT actor AS value FROM jobs.job_event WHERE job_id = $1 ORDER BY sequence`, [jobId]),
  }
}

export function sampleJob(createdAt: Date) {
  return {
    id: uuidv7({ msecs: createdAt.getTime() }),
    organizationId: uuidv7(),
    mode: 'test',
    printerId: uuidv7(),
    computerId: uuidv7(),
    title: 'Invoice',
    contentType: 'pdf_base64',
    source: 'api',
    qty: 1,
    options: {},
    expireAfterSeconds: 86_400,
    expiresAt: new Date(createdAt.getTime() + 86_400_000),
    storageKey: uuidv7(),
    fileSizeBytes: 8,
    fileSha256: 'ab'.repeat(32),
    reprintOf: null,
    traceparent: '',
    createdAt,
    effectiveOptions: null,
    optionWarning: null,
  } satisfies NewJob
}
