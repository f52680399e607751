/**
 * The statement of every `201`. Creates any number of jobs, each with its first event, event log entry, small document, count,
 * `Idempotency-Key` and the encrypted source of its fetch, in one round trip and one transaction. Numbers the jobs of an organization and mode
 * in their order, from the last number, which the statement locks with the count. A number of a statement that fails is not lost.
 *
 * Each job is created or refused separately. A conflict with another transaction (same id or key) fails the whole statement, and the caller
 * repeats the jobs one by one (`runtime/batches.ts`). A single job is repeated once after a conflict and finds the job of the other transaction.
 * Creations of different organizations do not wait for each other, because only the counts of the own organizations are locked, in a fixed order.
 */
import { NUMBER } from '@platen/resources/limits.ts'
import type { ApiError } from '@platen/runtime/errors.ts'
import { DatabaseError, type Pool } from 'pg'
import { type Job, type MayLack, NEW_JOB_COLUMNS } from './entities.ts'
import { eventBody } from './event-body.ts'
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
  /** Creation of the original whose stored document a reprint shares. */
  originalCreatedAt?: Date
}

/** `number`: of the created job. `known`: id of the job that an earlier request with the same id or key has created. `bodyHash` is that of the key's request. */
export type Creation = { number: number | null } | { known: string; bodyHash: Buffer | null } | ApiError

const COLUMNS = `${Object.keys(NEW_JOB_COLUMNS).join(', ')}, number`

const ITEM = `${Object.entries(NEW_JOB_COLUMNS)
  .map((column) => column.join(' '))
  .join(
    ', ',
  )}, ordinal int, actor text, period date, count_max bigint, key text, body_hash text, content_start int, content_bytes int,
  host_digest text, encrypted_source text, original_created_at timestamptz, refused boolean`

/** Columns of the event body that have no value in the item. */
const QUEUED = `'queued' AS state, NULL::text AS state_message, 1 AS version, NULL::timestamptz AS sent_at,
  NULL::timestamptz AS received_at, NULL::timestamptz AS printing_at, NULL::timestamptz AS finished_at, NULL::text AS confirmed_by`

/**
 * Locks the deletion mark, so that a document that a reprint shares is not deleted before the commit (`timers/sweep-documents.ts`). Reprints do
 * not wait for each other.
 */
const DELETION_MARK = `deletion_mark AS (
  SELECT swept_until FROM jobs.document_sweep WHERE EXISTS (SELECT FROM item WHERE original_created_at IS NOT NULL) FOR SHARE
)`

/** @param also further CTEs. A job after `NUMBER.max` has no number. */
const createSql = (also = '') => `
WITH item AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS item (${ITEM})),
${DELETION_MARK},
resolved AS MATERIALIZED (
  SELECT item.*, ${QUEUED},
    COALESCE(existing.id, known.job_id) AS known_job_id,
    known.body_hash AS known_body_hash,
    original_created_at IS NOT NULL AND NOT EXISTS (SELECT FROM deletion_mark WHERE swept_until < original_created_at) AS swept
  FROM item
    -- Joins, because an EXISTS would be hashed and scan the whole table.
    LEFT JOIN jobs.job AS existing ON existing.id = item.id
    LEFT JOIN jobs.idempotency_key AS known
      ON known.organization_id = item.organization_id AND known.mode = item.mode AND known.key = item.key
),
requested AS (
  SELECT organization_id, mode, period, min(count_max) AS max, count(*) AS jobs FROM resolved
  WHERE known_job_id IS NULL AND NOT swept AND NOT refused GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
),
counted AS (
  UPDATE jobs.creation_count AS counted
  SET count = GREATEST(counted.count, LEAST(counted.count + requested.jobs, COALESCE(requested.max, counted.count + requested.jobs)))
  FROM requested
  WHERE counted.organization_id = requested.organization_id AND counted.mode = requested.mode AND counted.period = requested.period
  RETURNING counted.organization_id, counted.mode, counted.period, new.count - old.count AS granted
),
accepted AS MATERIALIZED (
  SELECT ordered.* FROM (
    SELECT *, row_number() OVER (PARTITION BY organization_id, mode, period ORDER BY ordinal) AS nth FROM resolved
    WHERE known_job_id IS NULL AND NOT swept AND NOT refused
  ) AS ordered LEFT JOIN counted USING (organization_id, mode, period)
  WHERE count_max IS NULL OR nth <= granted
),
-- After the counts, so that concurrent statements lock both in one order.
numbered AS (
  INSERT INTO jobs.job_number AS job_number (organization_id, mode, last)
  SELECT organization_id, mode, count(*) FROM accepted GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (organization_id, mode) DO UPDATE SET last = job_number.last + excluded.last
  RETURNING organization_id, mode, COALESCE(old.last, 0) AS before
),
permitted AS MATERIALIZED (
  SELECT accepted.*, CASE WHEN before + nth <= ${NUMBER.max} THEN before + nth END::int AS number, uuidv7() AS event_id
  FROM accepted JOIN numbered USING (organization_id, mode)
),
created AS (
  INSERT INTO jobs.job (${COLUMNS}, state, version, fetching, has_inline_document, event_commit_seq)
  SELECT ${COLUMNS}, state, version, encrypted_source IS NOT NULL, content_start IS NOT NULL, jobs.to_commit_seq(pg_current_xact_id())
  FROM permitted ORDER BY ordinal
),
event AS (
  INSERT INTO jobs.job_event (id, job_id, sequence, state, actor, created_at)
  SELECT event_id, id, version, state, actor, created_at FROM permitted
),
logged AS (
  INSERT INTO jobs.event_log (id, commit_seq, organization_id, mode, type, occurred_at, body, traceparent, created_by)
  SELECT event_id, jobs.to_commit_seq(pg_current_xact_id()), organization_id, mode, 'printjob.queued', created_at,
    ${eventBody({ job: 'permitted', eventId: 'event_id', occurredAt: 'created_at' })}, traceparent, created_by
  FROM permitted
),
keyed AS (
  INSERT INTO jobs.idempotency_key (organization_id, mode, key, body_hash, job_id, created_at)
  SELECT organization_id, mode, key, decode(body_hash, 'base64'), id, created_at FROM permitted WHERE key IS NOT NULL ORDER BY 1, 2, 3
),
document AS (
  INSERT INTO jobs.document (job_id, content)
  SELECT id, substring($2::bytea FROM content_start FOR content_bytes) FROM permitted WHERE content_start IS NOT NULL
),
document_fetch AS (
  INSERT INTO jobs.document_fetch (job_id, organization_id, host_digest, encrypted_source, created_at)
  SELECT id, organization_id, decode(host_digest, 'base64'), decode(encrypted_source, 'base64'), created_at
  FROM permitted WHERE encrypted_source IS NOT NULL
)${also}
SELECT id, true AS created, number, NULL::uuid AS known_job_id, NULL::bytea AS known_body_hash FROM permitted
UNION ALL SELECT id, false, NULL, known_job_id, known_body_hash FROM resolved WHERE known_job_id IS NOT NULL OR swept`

const CREATE = { name: 'create jobs', text: createSql() }

const CREATE_WITH_METADATA = {
  name: 'create jobs with metadata',
  text: createSql(`,
pair AS (
  INSERT INTO jobs.job_metadata (organization_id, mode, value, key, id)
  SELECT organization_id, mode, pair.value, pair.key, id FROM permitted CROSS JOIN LATERAL jsonb_each_text(metadata) AS pair (key, value)
)`),
}

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
 * @returns the result of each job by its id. Errors: the `refusal` of the job, `test_mode_daily_cap` or `quota_exceeded` over the limit,
 *   `file_expired` if the document of the original may be deleted.
 */
export async function createJobs(pool: Pool, jobs: NewJob[]): Promise<Map<string, Creation>> {
  const creations = new Map<string, Creation>()
  let pending = jobs
  while (pending.length > 0) {
    for (const row of await insert(pool, pending)) creations.set(row.id, toCreation(row))
    const limited = pending.filter(({ id }) => !creations.has(id))
    pending = []
    for (const job of limited) {
      const refusal = await findRefusal(pool, job)
      if (refusal) creations.set(job.id, refusal)
      else pending.push(job)
    }
  }
  return creations
}

async function insert(pool: Pool, jobs: NewJob[], mayConflict = jobs.length === 1): Promise<Row[]> {
  try {
    const contents = Buffer.concat(jobs.flatMap(({ content }) => content ?? []))
    const values = [JSON.stringify(toItems(jobs)), contents]
    const statement = jobs.some(hasMetadata) ? CREATE_WITH_METADATA : CREATE
    return (await pool.query<Row>({ ...statement, values })).rows
  } catch (error) {
    if (!mayConflict || !(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error
    return await insert(pool, jobs, false)
  }
}

const hasMetadata = ({ metadata }: NewJob) => Object.keys(metadata).length > 0

function toCreation({ created, number, known_job_id, known_body_hash }: Row): Creation {
  if (created) return { number }
  return known_job_id === null ? fileExpired() : { known: known_job_id, bodyHash: known_body_hash }
}

/** @returns undefined if the insert must be repeated, because the count has just been started or is below the limit, or the job exists. */
async function findRefusal(pool: Pool, job: NewJob): Promise<ApiError | undefined> {
  const { organizationId, mode, limit, refusal } = job
  const { rows } = await pool.query<{ count: number | null; known: boolean }>(REFUSAL_REASON, [
    organizationId,
    mode,
    limit?.period,
    job.id,
    job.idempotency?.key,
  ])
  const { count = null, known = false } = rows[0] ?? {}
  if (known) return undefined
  if (refusal) return refusal
  if (!limit || limit.max === null) throw new Error('job without a limit was not created')
  if (count === null) await startCount(pool, job, limit.period)
  else if (count >= limit.max) return limit.refusal()
  return undefined
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
})
