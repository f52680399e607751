import { randomBytes } from 'node:crypto'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { MikroORM } from '@mikro-orm/postgresql'
import {
  CreateJobsRequestSchema,
  type Job,
  type JobCreation,
  JobCreationSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { isFinalState, type JobState } from '@platen/resources/job-states.ts'
import { hotConnectionSettings } from '@platen/runtime/database/connection-settings.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { createTestClock, type TestClock } from '@platen/test/harness/test-clock.ts'
import { getWorld, type World } from '@platen/test/harness/world.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import { createJobs as createRows, type NewJob } from '../create-jobs.ts'
import { createRecentDocuments } from '../documents/recent-documents.ts'
import { ENTITIES } from '../entities.ts'
import { createSourceBox } from '../fetches/source-box.ts'
import type { Jobs } from '../jobs.ts'
import { createDatabaseLimit } from '../limits/database-limit.ts'
import { createJobsPerDayQuota, createStoredBytesQuota, createUnfinishedJobsQuota } from '../limits/quotas.ts'
import { createJobs } from '../rpc/create-jobs.ts'

export interface TestJobs extends Jobs {
  clock: TestClock
  databaseUrl: string
  advance(seconds: number): void
  /** How often the service announced that the computer has jobs to claim or to remove. */
  timesWoken(computerId: string): number
  /** Ids of the jobs that were announced as queued, and of the destinations that they wait for. */
  announced: string[]
  /** Adds a job as a creation does. */
  addJob(facts?: Partial<NewJob>): Promise<string>
  /** Writes a state past all rules. */
  force(jobId: string, state: JobState): Promise<void>
  /** @returns columns of the job. */
  row(jobId: string, columns?: string): Promise<Record<string, unknown>>
  getState(jobId: string): Promise<string>
  eventStates(jobId: string): Promise<string[]>
  eventMessages(jobId: string): Promise<(string | null)[]>
  eventActors(jobId: string): Promise<string[]>
}

/** The domain of the jobs service on a database of its own, without timers and network. */
export async function startOwnTestJobs(): Promise<TestJobs> {
  const databaseUrl = await createDatabase()
  // A burst of a thousand calls waits for its connections as long as it must.
  const settings = { ...hotConnectionSettings('test jobs'), connectionTimeoutMillis: 0 }
  const pool = new Pool({ connectionString: databaseUrl, max: 8, ...settings })
  const orm = await MikroORM.init({ clientUrl: databaseUrl, schema: 'jobs', entities: ENTITIES })
  onTestFinished(async () => {
    await orm.close()
    await pool.end()
  })
  const clock = createTestClock()
  const fileRetentionMs = 604_800_000
  const service = {
    pool,
    lists: pool,
    orm,
    clock,
    testJobsPerDay: 500,
    unfinishedJobs: createUnfinishedJobsQuota(pool, 100_000),
    storedBytes: createStoredBytesQuota({ pool, clock, fileRetentionMs }, BUDGETS.storedBytes.max),
    jobsPerDay: createJobsPerDayQuota({ pool, clock }, BUDGETS.jobsPerDay.max),
    databaseLimit: createDatabaseLimit(pool, 0),
    idempotencyKeyMs: 24 * 60 * 60 * 1000,
    sourceBox: createSourceBox([randomBytes(32)]),
    recentDocuments: createRecentDocuments(),
    fetchHeldMs: 60 * 60_000,
    fileRetentionMs,
    printingTimeoutMs: 15 * 60_000,
  }
  return observe(service, databaseUrl, clock.advanceSeconds)
}

/** The domain of the jobs service in the worker's world; what it announces goes to the test alone. */
export async function startTestJobs(): Promise<TestJobs> {
  return toTestJobs(await getWorld())
}

/** @param pool of the test, where it stops the service. */
export const toTestJobs = (world: World, pool = world.contexts.jobs.pool): TestJobs =>
  observe({ ...world.contexts.jobs, clock: world.clock, pool }, world.databaseUrl, (seconds) =>
    world.advance(seconds * 1000),
  )

type Service = Omit<Jobs, 'clock' | 'fetchesAdded' | 'eventsAdded' | 'announceWaiting'> & {
  clock: TestClock
}

function observe(service: Service, databaseUrl: string, advance: TestJobs['advance']): TestJobs {
  const { pool, clock } = service
  const woken: string[] = []
  const announced: string[] = []
  const ofEvents = async <T>(column: string, jobId: string): Promise<T[]> => {
    const { rows } = await pool.query<{ value: T }>(
      `SELECT ${column} AS value FROM jobs.job_event WHERE job_id = $1 ORDER BY sequence`,
      [jobId],
    )
    return rows.map(({ value }) => value)
  }
  const row: TestJobs['row'] = async (jobId, columns = '*') =>
    (await pool.query(`SELECT ${columns} FROM jobs.job WHERE id = $1`, [jobId])).rows[0]
  return {
    ...service,
    databaseUrl,
    advance,
    fetchesAdded: () => undefined,
    eventsAdded: () => undefined,
    announceWaiting(waiting) {
      for (const [computerId, jobId, destinationId] of waiting)
        if (jobId === undefined) woken.push(computerId)
        else announced.push(destinationId ?? jobId)
    },
    timesWoken: (computerId) => woken.filter((id) => id === computerId).length,
    announced,
    async addJob(facts = {}) {
      const job = { ...sampleJob(facts.createdAt ?? clock.now()), ...facts }
      await createRows(pool, [job])
      return job.id
    },
    force: async (jobId, state) =>
      void (await pool.query('UPDATE jobs.job SET state = $2, final_state = $3 WHERE id = $1', [
        jobId,
        state,
        isFinalState(state) ? state : undefined,
      ])),
    row,
    getState: async (jobId) => String((await row(jobId, 'state'))?.state ?? 'missing'),
    eventStates: (jobId) => ofEvents('state', jobId),
    eventMessages: (jobId) => ofEvents('message', jobId),
    eventActors: (jobId) => ofEvents('actor', jobId),
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
    metadata: {},
    stateReasons: [],
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
    retain: true,
    createdBy: null,
    interface: null,
  } satisfies NewJob
}

export type CreationFacts = Omit<MessageInitShape<typeof JobCreationSchema>, '$typeName' | '$unknown'>

/** A creation as the gateway requests it; lists and counts rely on the time in its id. */
export function jobCreation({ clock }: Pick<Jobs, 'clock'>, facts: CreationFacts = {}): JobCreation {
  const { id, organizationId, mode, printerId, computerId, title, contentType, source, qty } = sampleJob(clock.now())
  const stored = { storageKey: uuidv7(), sizeBytes: 8n, sha256: 'ab'.repeat(32) }
  return create(JobCreationSchema, {
    jobId: id,
    ...{ organizationId, mode, printerId, computerId, title, contentType, source, qty },
    expireAfterSeconds: 86_400,
    actor: 'api',
    document: { case: 'stored', value: stored },
    ...facts,
  })
}

/** @returns the job. @throws ApiError what it is refused with. */
export async function createOneJob(jobs: Jobs, creation: JobCreation): Promise<Job> {
  const { results } = await createJobs(jobs, create(CreateJobsRequestSchema, { creations: [creation] }))
  const result = results[0]?.result
  if (result?.case === 'job') return result.value
  throw new ApiError(result?.value?.code as ErrorCode, result?.value?.message ?? '', {
    retryAfterSeconds: result?.value?.retryAfterSeconds,
  })
}
