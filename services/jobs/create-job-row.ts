/**
 * The statement behind a `201`: job, first event and the entry of the event log in one round trip and one transaction, and with them what the job is
 * counted in, the `Idempotency-Key` that it completes, and what the fetch of its document needs to know.
 *
 * Takes no lock that a creation of another organization waits for: of its own organization's count where there is one (test jobs;
 * prints of a plan with a limit), and of its own key. Inserting the same id again changes nothing, so that a caller whose connection
 * broke at the commit may repeat it.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import type { Pool } from 'pg'
import { beginCount, type CreationLimit } from './creation-limit.ts'
import { fileExpired } from './document-of.ts'
import type { Job } from './entities.ts'
import { eventBody } from './event-body.ts'
import type { SealedSource } from './fetches/vault.ts'
import type { Actor } from './states.ts'

type JobFacts = Pick<
  Job,
  | 'id'
  | 'organizationId'
  | 'mode'
  | 'printerId'
  | 'computerId'
  | 'title'
  | 'contentType'
  | 'source'
  | 'qty'
  | 'options'
  | 'expireAfterSeconds'
  | 'expiresAt'
  | 'storageKey'
  | 'fileSizeBytes'
  | 'fileSha256'
  | 'reprintOf'
  | 'traceparent'
  | 'createdAt'
  | 'effectiveOptions'
  | 'optionWarning'
>

/** With `fetch` it is a job whose document is still to come, with `originalCreatedAt` one that shares the document of an older job. */
export type NewJob = JobFacts & { fetch?: SealedSource; originalCreatedAt?: Date }

/** What a creation may depend on. */
export interface CreationConditions {
  limit?: CreationLimit
  /** Of the request's `Idempotency-Key`. */
  claim?: { key: string; claimToken: string; bodyHash: Uint8Array }
}

const CLAIM = `claim AS (
  SELECT job_id FROM jobs.idempotency_key
  WHERE organization_id = $2 AND mode = $3 AND key = $24 AND claim_token = $25 FOR UPDATE
), `

const COMPLETED = `, completed AS (
  UPDATE jobs.idempotency_key AS own SET job_id = created.id, body_hash = $26 FROM created
  WHERE own.organization_id = $2 AND own.mode = $3 AND own.key = $24
)`

/** @param at position of its two parameters. */
const FETCH = (at: number) => `, document_fetch AS (
  INSERT INTO jobs.document_fetch (job_id, organization_id, host_digest, sealed_source, created_at)
  SELECT id, organization_id, $${at}::bytea, $${at + 1}::bytea, created_at FROM created
)`

/**
 * Is there while documents of the original's time are not being deleted, and keeps that from beginning (`timers/sweep-documents.ts`).
 * Reprints do not wait for each other.
 */
const KEPT = (at: number) => `kept AS (
  SELECT FROM jobs.document_sweep WHERE swept_until < $${at}::timestamptz FOR SHARE
), `

interface Parts {
  /** It completes an `Idempotency-Key`. */
  claimed: boolean
  /** Its document is to be fetched. */
  fetched: boolean
  /** Its document is that of another job. */
  reprinted: boolean
}

/** Most have none of them, and do not pay for it: parts of a statement cost some 10 µs each, also when they find nothing to do. */
const sqlOf = ({ claimed, fetched, reprinted }: Parts) => `
WITH ${claimed ? CLAIM : ''}${reprinted ? KEPT(claimed ? 27 : 24) : ''}permitted AS (
  SELECT WHERE NOT EXISTS (SELECT FROM jobs.job WHERE id = $1)
    ${claimed ? 'AND EXISTS (SELECT FROM claim WHERE job_id IS NULL)' : ''}
    ${reprinted ? 'AND EXISTS (SELECT FROM kept)' : ''}
), counted AS (
  UPDATE jobs.creation_count SET count = count + 1
  WHERE organization_id = $2 AND mode = $3 AND period = $21 AND ($22::bigint IS NULL OR count < $22)
    AND EXISTS (SELECT FROM permitted)
  RETURNING count
), created AS (
  INSERT INTO jobs.job (id, organization_id, mode, printer_id, computer_id, title, content_type, source, qty, options,
    expire_after_seconds, expires_at, storage_key, file_size_bytes, file_sha256, traceparent, created_at, effective_options,
    option_warning, reprint_of, state, version)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $19, $20, $23, 'queued', 1
  FROM permitted WHERE $22::bigint IS NULL OR EXISTS (SELECT FROM counted)
  ON CONFLICT (id) DO NOTHING
  RETURNING *
), event AS (
  INSERT INTO jobs.job_event (id, job_id, sequence, state, actor, created_at)
  SELECT uuidv7(), id, version, state, $18, created_at FROM created
  RETURNING id, job_id
), logged AS (
  INSERT INTO jobs.event_log (id, list_place, organization_id, mode, type, occurred_at, body, traceparent)
  SELECT event.id, list_place, organization_id, mode, 'printjob.queued', created.created_at,
    ${eventBody({ job: 'created', eventId: 'event.id', occurredAt: 'created.created_at' })}, traceparent
  FROM created JOIN event ON event.job_id = created.id
)${claimed ? COMPLETED : ''}${fetched ? FETCH(claimed ? 27 : 24) : ''}
SELECT EXISTS (SELECT FROM created) AS created, EXISTS (SELECT FROM counted) AS counted`

const STATEMENTS = new Map<string, { name: string; text: string }>()

function statementOf(parts: Parts) {
  const name = ['create job', ...Object.entries(parts).flatMap(([part, has]) => (has ? part : []))].join(' ')
  const known = STATEMENTS.get(name)
  if (known) return known
  const statement = { name, text: sqlOf(parts) }
  STATEMENTS.set(name, statement)
  return statement
}

/** Asked when nothing was created. */
const WHY = `
SELECT EXISTS (SELECT FROM jobs.job WHERE id = $1) AS existed,
  EXISTS (SELECT FROM jobs.idempotency_key
    WHERE organization_id = $2 AND mode = $3 AND key = $5 AND claim_token = $6 AND job_id IS NULL) AS claimed,
  (SELECT count FROM jobs.creation_count WHERE organization_id = $2 AND mode = $3 AND period = $4) AS count,
  EXISTS (SELECT FROM jobs.document_sweep WHERE swept_until >= $7) AS swept`

interface Why {
  existed: boolean
  claimed: boolean
  count: number | null
  /** Documents of the original's time may be deleted. */
  swept: boolean
}

const TAKE_BACK = `
UPDATE jobs.creation_count SET count = count - 1 WHERE organization_id = $1 AND mode = $2 AND period = $3`

/**
 * @throws ApiError `test_mode_daily_cap` or `quota_exceeded` over the limit; `idempotency_in_progress` when the claim was released, or
 *   another request has taken it over; `file_expired` when the document of a reprint may be deleted by now.
 */
export async function createJobRow(
  pool: Pool,
  job: NewJob,
  actor: Actor,
  { limit, claim }: CreationConditions = {},
): Promise<void> {
  const tenant = [job.organizationId, job.mode]
  const period = limit?.period ?? null
  const values = [
    job.id,
    ...tenant,
    job.printerId,
    job.computerId,
    job.title,
    job.contentType,
    job.source,
    job.qty,
    job.options,
    job.expireAfterSeconds,
    job.expiresAt,
    job.storageKey,
    job.fileSizeBytes,
    job.fileSha256,
    job.traceparent,
    job.createdAt,
    actor,
    job.effectiveOptions,
    job.optionWarning,
    period,
    limit?.max ?? null,
    job.reprintOf,
  ]
  const ofClaim = claim ? [claim.key, claim.claimToken, claim.bodyHash] : []
  const ofFetch = job.fetch ? [job.fetch.hostDigest, job.fetch.sealed] : []
  const ofReprint = job.originalCreatedAt ? [job.originalCreatedAt] : []
  const parts = { claimed: ofClaim.length > 0, fetched: ofFetch.length > 0, reprinted: ofReprint.length > 0 }
  const statement = { ...statementOf(parts), values: [...values, ...ofClaim, ...ofFetch, ...ofReprint] }
  for (;;) {
    const { rows } = await pool.query<{ created: boolean; counted: boolean }>(statement)
    if (rows[0]?.created) return
    const why = await pool.query<Why>(WHY, [
      job.id,
      ...tenant,
      period,
      claim?.key ?? null,
      claim?.claimToken ?? null,
      job.originalCreatedAt ?? null,
    ])
    const { existed = false, claimed = false, count = null, swept = false } = why.rows[0] ?? {}
    if (existed) {
      // The same call came twice at once, and both were counted.
      if (rows[0]?.counted) await pool.query(TAKE_BACK, [...tenant, period])
      return
    }
    if (claim && !claimed)
      throw new ApiError('idempotency_in_progress', 'Another request with this `Idempotency-Key` has taken over.')
    if (swept) throw fileExpired()
    if (!limit || limit.max === null) throw new Error('a job was not created, and nothing forbids it')
    if (count === null) await beginCount(pool, job, limit.period)
    else if (count >= limit.max) throw limit.refusal()
  }
}
