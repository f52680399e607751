/**
 * Creates any number of jobs by one statement (`create-jobs-sql.ts`).
 *
 * Each job is created or refused separately. A conflict with another transaction (same id or key) fails the whole
 * statement, and the caller repeats the jobs one by one (`runtime/batches.ts`). A single job is repeated once after a
 * conflict and finds the job of the other transaction. Creations of different organizations do not wait for each other,
 * because only the counts of the own organizations are locked, in a fixed order.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import { DatabaseError, type Pool } from 'pg'
import { CREATE, CREATE_BATCH, CREATE_WITH_MORE } from './create-jobs-sql.ts'
import { type Job, type MayLack, NEW_JOB_COLUMNS } from './entities.ts'
import { fileExpired } from './fetches/resolve-document.ts'
import type { EncryptedSource } from './fetches/source-box.ts'
import { type CreationLimit, startCount } from './limits/creation-limit.ts'
import type { Actor } from './states.ts'

type ToProperty<Column extends string> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<ToProperty<Rest>>}`
  : Column

type JobFacts = MayLack<Pick<Job, ToProperty<keyof typeof NEW_JOB_COLUMNS>>>

const PROPERTIES = Object.keys(NEW_JOB_COLUMNS).map(
  (column) => [column, column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())] as const,
) as [string, keyof JobFacts][]

export interface NewJob extends JobFacts {
  actor?: Actor
  limit?: CreationLimit
  /** The refusal of a job that must not be created. If an earlier request has created it, that job is the result. */
  refusal?: ApiError | undefined
  /** The key of the request's `Idempotency-Key`. The first hash is stored. */
  idempotency?: { key: string; bodyHashes: Uint8Array[] }
  /** A small document, stored with the job. */
  content?: Uint8Array
  /** Source of a document that has to be fetched. */
  fetch?: EncryptedSource
  /** Whether it is the job of the submission with its id, which has its number. */
  submitted?: boolean
  /** Creation of the original whose stored document a reprint shares. */
  originalCreatedAt?: Date
}

/**
 * `number`: of the created job. `known`: id of the job that an earlier request with the same id or key has created.
 * `bodyHash` is that of the key's request.
 */
export type Creation = { number: number | null } | { known: string; bodyHash: Buffer | null } | ApiError

const UNIQUE_VIOLATION = '23505'

/** The reason why a job was not created: its count, and whether a concurrent transaction has created it. */
const REFUSAL_REASON = `
SELECT (SELECT count FROM jobs.creation_count WHERE organization_id = $1 AND mode = $2 AND period = $3) AS count,
  EXISTS (SELECT FROM jobs.job WHERE id = $4)
    OR EXISTS (SELECT FROM jobs.idempotency_key WHERE organization_id = $1 AND mode = $2 AND key = $5) AS known`

interface Row {
  id: string
  created: boolean
  number: number | null
  /** Null for a job that was not created if the document of the original may be deleted. */
  known_job_id: string | null
  known_body_hash: Buffer | null
}

/**
 * @returns the result of each job by its id. Errors: the `refusal` of the job, `test_mode_daily_cap` or
 *   `quota_exceeded` over the limit, `file_expired` if the document of the original may be deleted, `not_found` if the
 *   submission has ended.
 */
export async function createJobs(pool: Pool, jobs: NewJob[]): Promise<Map<string, Creation>> {
  const creations = new Map<string, Creation>()
  let pending = jobs
  while (pending.length > 0) {
    const byId = new Map(pending.map((job) => [job.id, job]))
    const withoutSubmission = new Set<string>()
    for (const row of await insert(pool, pending))
      if (lacksSubmission(row, byId.get(row.id))) withoutSubmission.add(row.id)
      else creations.set(row.id, toCreation(row))
    const refused = pending.filter(({ id }) => !creations.has(id))
    pending = []
    for (const job of refused) {
      const refusal = await findRefusal(pool, job, withoutSubmission.has(job.id))
      if (refusal) creations.set(job.id, refusal)
      else pending.push(job)
    }
  }
  return creations
}

/** The refusal of a batch, by the job that is the cause. */
export interface BatchRefusal {
  index: number
  refusal: ApiError
}

/**
 * Creates the jobs of a batch, of one organization, mode and period, or none of them. Only the first has the
 * `Idempotency-Key`.
 *
 * @returns the numbers of the jobs in their order; or what an earlier request with the key has created; or the first
 *   refusal. After a repeated call with the same ids, `known` is the id of the first job.
 */
export async function createBatch(
  pool: Pool,
  batchId: string,
  jobs: NewJob[],
): Promise<{ numbers: (number | null)[] } | { known: string; bodyHash: Buffer | null } | BatchRefusal> {
  for (;;) {
    const rows = new Map((await insert(pool, jobs, { batchId, mayConflict: true })).map((row) => [row.id, row]))
    const known = rows.get(jobs[0]?.id ?? '')
    if (known && !known.created && known.known_job_id !== null)
      return { known: known.known_job_id, bodyHash: known.known_body_hash }
    if (known?.created) return { numbers: jobs.map(({ id }) => rows.get(id)?.number ?? null) }
    const swept = jobs.findIndex(({ id }) => rows.has(id))
    if (swept >= 0) return { index: swept, refusal: fileExpired() }
    const refused = await findBatchRefusal(pool, jobs)
    if (refused) return refused
  }
}

/**
 * @returns undefined if the insert must be repeated, because the count has just been started or has room, or the batch
 *   exists.
 */
async function findBatchRefusal(pool: Pool, jobs: NewJob[]): Promise<BatchRefusal | undefined> {
  const [first] = jobs
  if (!first) throw new Error('a batch has at least one job')
  const { limit } = first
  const { count, known } = await readRefusalReason(pool, first)
  if (known) return undefined
  for (const [index, { refusal }] of jobs.entries()) if (refusal) return { index, refusal }
  if (!limit || limit.max === null) throw new Error('batch without a limit was not created')
  if (count === null) await startCount(pool, first, limit.period)
  else if (count + jobs.length > limit.max) return { index: Math.max(0, limit.max - count), refusal: limit.refusal() }
  return undefined
}

interface Insertion {
  /** The batch of all jobs. */
  batchId?: string
  mayConflict?: boolean
}

async function insert(
  pool: Pool,
  jobs: NewJob[],
  { batchId, mayConflict = jobs.length === 1 }: Insertion = {},
): Promise<Row[]> {
  try {
    const contents = Buffer.concat(jobs.flatMap(({ content }) => content ?? []))
    const values = [JSON.stringify(toItems(jobs)), contents, ...(batchId === undefined ? [] : [batchId])]
    const each = jobs.some(hasMore) ? CREATE_WITH_MORE : CREATE
    return (await pool.query<Row>({ ...(batchId === undefined ? each : CREATE_BATCH), values })).rows
  } catch (error) {
    if (!mayConflict || !(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error
    return await insert(pool, jobs, { ...(batchId === undefined ? {} : { batchId }), mayConflict: false })
  }
}

const hasMore = ({ metadata, submitted }: NewJob) => submitted === true || Object.keys(metadata).length > 0

function toCreation({ created, number, known_job_id, known_body_hash }: Row): Creation {
  if (created) return { number }
  if (known_job_id !== null) return { known: known_job_id, bodyHash: known_body_hash }
  return fileExpired()
}

/** A concurrent statement, whose job this one does not see, may have made the job of the submission. */
const lacksSubmission = ({ created, known_job_id }: Row, job: NewJob | undefined) =>
  job?.submitted === true && !created && known_job_id === null

/**
 * @returns undefined if the insert must be repeated, because the count has just been started or is below the limit, or
 *   the job exists.
 */
async function findRefusal(pool: Pool, job: NewJob, isWithoutSubmission: boolean): Promise<ApiError | undefined> {
  const { limit, refusal } = job
  const { count, known } = await readRefusalReason(pool, job)
  if (known) return undefined
  if (isWithoutSubmission) return new ApiError('not_found', 'This job was cancelled, or its time is over.')
  if (refusal) return refusal
  if (!limit || limit.max === null) throw new Error('job without a limit was not created')
  if (count === null) await startCount(pool, job, limit.period)
  else if (count >= limit.max) return limit.refusal()
  return undefined
}

async function readRefusalReason(pool: Pool, { organizationId, mode, limit, id, idempotency }: NewJob) {
  const values = [organizationId, mode, limit?.period, id, idempotency?.key]
  const { rows } = await pool.query<{ count: number | null; known: boolean }>(REFUSAL_REASON, values)
  const { count = null, known = false } = rows[0] ?? {}
  return { count, known }
}

const base64 = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('base64')

/** The documents follow each other in one binary parameter, because base64 in JSON is larger and slower to read. */
function toItems(jobs: NewJob[]) {
  let start = 1
  return jobs.map((job, ordinal) => {
    const item = toItem(job, ordinal, start)
    start += job.content?.length ?? 0
    return item
  })
}

/** @param contentStart position of the document among all documents, from 1. */
const toItem = (job: NewJob, ordinal: number, contentStart: number) => ({
  ...Object.fromEntries(PROPERTIES.map(([column, property]) => [column, job[property]])),
  ordinal,
  actor: job.actor ?? 'api',
  period: job.limit?.period,
  count_max: job.limit?.max,
  key: job.idempotency?.key,
  body_hash: base64(job.idempotency?.bodyHashes[0]),
  content_start: job.content && contentStart,
  content_bytes: job.content?.length,
  host_digest: base64(job.fetch?.hostDigest),
  encrypted_source: base64(job.fetch?.encrypted),
  original_created_at: job.originalCreatedAt,
  refused: job.refusal !== undefined,
  submitted: job.submitted,
})
