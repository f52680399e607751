import { create, type JsonObject } from '@bufbuild/protobuf'
import {
  type Claim,
  type ClaimJobsRequest,
  type ClaimJobsResponse,
  ClaimJobsResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { type ChangedJob, changeStates, systemChange } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'

/** The columns of `jobs.job` that an agent needs, beside those of a changed job. */
const COLUMNS = [
  'printer_id',
  'title',
  'content_type',
  'qty',
  'COALESCE(effective_options, options) AS options',
  'file_size_bytes',
  'file_sha256',
  'expires_at',
  'traceparent',
  'accepted_order',
]

interface ClaimedRow extends ChangedJob {
  printer_id: string
  title: string
  content_type: string
  qty: number
  options: JsonObject
  file_size_bytes: number
  file_sha256: string
  expires_at: Date
  traceparent: string
  /** A bigint, as text. */
  accepted_order: string
}

const RESENDS_AT_ONCE = 100

/** In one answer: half of what a message may have. */
const CONTENTS_MAX_BYTES = 512 * 1024

/** The claims whose stream is their computer's newest. */
const fencedClaims = (parameter: string, columns: string) =>
  `jsonb_to_recordset(${parameter}) AS claim (computer_id uuid, epoch bigint, ${columns})
   JOIN jobs.computer_fence USING (computer_id, epoch)`

/**
 * Jobs in `sent` that go out again: a resend fell due, or the answer to an earlier claim got lost. Not a change of state: that is
 * recorded already. Locks in the order of ids, as `changeStates` does.
 */
const TAKE_RESENDS = `
WITH due AS MATERIALIZED (
  SELECT found.id FROM ${fencedClaims('$1', 'claimed uuid[]')}
  CROSS JOIN LATERAL (
    SELECT id FROM jobs.job
    WHERE job.computer_id = claim.computer_id AND final_state IS NULL AND state = 'sent' AND (push_due OR NOT id = ANY(claimed))
    ORDER BY accepted_order LIMIT ${RESENDS_AT_ONCE}
  ) AS found
),
locked AS MATERIALIZED (
  SELECT id FROM jobs.job JOIN due USING (id) WHERE state = 'sent' ORDER BY id FOR UPDATE OF job
),
taken AS (UPDATE jobs.job SET push_due = false FROM locked WHERE job.id = locked.id RETURNING job.*)
SELECT id, state, attempt, computer_id, ${COLUMNS.join(', ')} FROM taken ORDER BY accepted_order`

/** An expired job, say, is dropped by its agent without a word. Those to be removed have a computer. */
const OVER_OR_TO_REMOVE = `
SELECT NULL::uuid AS computer_id, claimed.id AS job_id FROM unnest($1::uuid[]) AS claimed (id)
WHERE NOT EXISTS (SELECT FROM jobs.job WHERE job.id = claimed.id AND state = 'sent')
UNION ALL
SELECT computer_id, job_id FROM jobs.removal
JOIN ${fencedClaims('$2', 'claimed uuid[]')} USING (computer_id)`

/**
 * A job whose document is still being fetched holds those of its printer that were accepted after it, so that they keep their order; that
 * is rarely for more than the 30 s of a fetch. A scalar subquery, so that the jobs are walked in order whatever the planner thinks of it.
 */
const FETCHED_BEFORE = `accepted_order < COALESCE((
  SELECT min(fetching.accepted_order) FROM jobs.job AS fetching
  WHERE fetching.printer_id = job.printer_id AND fetching.fetching), '9223372036854775807')`

const QUEUED = `
SELECT found.id AS job_id, NULL AS message FROM ${fencedClaims('$2', '"limit" int, held uuid[]')}
CROSS JOIN LATERAL (
  SELECT id FROM jobs.job
  WHERE job.computer_id = claim.computer_id AND final_state IS NULL AND state = 'queued' AND NOT printer_id = ANY(held) AND ${FETCHED_BEFORE}
  ORDER BY accepted_order LIMIT "limit"
) AS found`

/**
 * Gives each computer's stream the jobs that it should push now, first accepted first; `queued` ones become `sent`. Of those a stream
 * gets at most `limit`, less what it is given again without having known of it: what it did know has its place at the agent already.
 * An older epoch than the computer's newest gets nothing.
 *
 * @throws ApiError `invalid_request` for a computer named twice.
 */
export async function claimJobs(jobs: Jobs, { claims }: ClaimJobsRequest): Promise<ClaimJobsResponse> {
  if (new Set(claims.map(({ computerId }) => computerId)).size !== claims.length)
    throw new ApiError('invalid_request', 'A call may name each computer only once.')
  const now = jobs.clock.now()
  const thorough = claims.filter(({ queuedOnly }) => !queuedOnly)
  const resent = await takeResends(jobs, thorough)
  const { overJobIds, removals } = await findOverOrToRemove(jobs, thorough)
  const pushed = await pushQueued(jobs, withRoom(claims, resent), now)
  if (pushed.length > 0) jobs.eventsAdded()
  return create(ClaimJobsResponseSchema, {
    jobs: withContents(
      jobs,
      inOrder(resent, pushed).map((row) => claimedJob(row, now)),
    ),
    overJobIds,
    removals,
  })
}

function withRoom(claims: Claim[], resent: ClaimedRow[]): Claim[] {
  if (resent.length === 0) return claims.filter(({ limit }) => limit > 0)
  const claimed = new Set(claims.flatMap(({ claimedJobIds }) => claimedJobIds))
  const unknown = Map.groupBy(
    resent.filter(({ id }) => !claimed.has(id)),
    ({ computer_id }) => computer_id,
  )
  return claims
    .map((claim) => ({ ...claim, limit: claim.limit - (unknown.get(claim.computerId)?.length ?? 0) }))
    .filter(({ limit }) => limit > 0)
}

/** A job that was given back was accepted before others that are sent again. */
function inOrder(resent: ClaimedRow[], pushed: ClaimedRow[]): ClaimedRow[] {
  if (resent.length === 0 || pushed.length === 0) return [...resent, ...pushed]
  return [...resent, ...pushed].sort((a, b) => Number(a.accepted_order) - Number(b.accepted_order))
}

async function takeResends(jobs: Jobs, claims: Claim[]): Promise<ClaimedRow[]> {
  if (claims.length === 0) return []
  const { rows } = await jobs.pool.query<ClaimedRow>({
    name: 'take resends',
    text: TAKE_RESENDS,
    values: [JSON.stringify(claims.map((claim) => ({ ...streamOf(claim), claimed: claim.claimedJobIds })))],
  })
  return rows
}

async function findOverOrToRemove(jobs: Jobs, claims: Claim[]) {
  if (claims.length === 0) return { overJobIds: [], removals: [] }
  const { rows } = await jobs.pool.query<{ computer_id: string | null; job_id: string }>({
    name: 'over or to remove',
    text: OVER_OR_TO_REMOVE,
    values: [claims.flatMap(({ claimedJobIds }) => claimedJobIds), JSON.stringify(claims.map(streamOf))],
  })
  return {
    overJobIds: rows.flatMap(({ computer_id, job_id }) => (computer_id === null ? [job_id] : [])),
    removals: rows.flatMap(({ computer_id, job_id }) =>
      computer_id === null ? [] : [{ computerId: computer_id, jobId: job_id }],
    ),
  }
}

async function pushQueued(jobs: Jobs, claims: Claim[], at: Date): Promise<ClaimedRow[]> {
  if (claims.length === 0) return []
  const asked = claims.map((claim) => ({ ...streamOf(claim), limit: claim.limit, held: claim.heldPrinterIds }))
  const source = systemChange('claim', 'push', QUEUED, [JSON.stringify(asked)])
  return await changeStates<ClaimedRow>(jobs.pool, { ...source, returning: COLUMNS }, at)
}

const streamOf = ({ computerId, epoch }: Claim) => ({ computer_id: computerId, epoch: epoch.toString() })

/** Small documents that are at hand, while the answer has room for them. */
function withContents(jobs: Jobs, claimed: ReturnType<typeof claimedJob>[]) {
  let bytes = 0
  return claimed.map((job) => {
    if (bytes + Number(job.fileSizeBytes) > CONTENTS_MAX_BYTES) return job
    const content = jobs.recentDocuments.take(job.jobId)
    if (!content) return job
    bytes += content.length
    return { ...job, content }
  })
}

function claimedJob(row: ClaimedRow, now: Date) {
  return {
    jobId: row.id,
    attempt: row.attempt,
    computerId: row.computer_id,
    printerId: row.printer_id,
    title: row.title,
    contentType: row.content_type,
    qty: row.qty,
    options: row.options,
    fileSizeBytes: BigInt(row.file_size_bytes),
    fileSha256: row.file_sha256,
    secondsUntilExpiry: Math.max(0, Math.floor((row.expires_at.getTime() - now.getTime()) / 1000)),
    traceparent: row.traceparent,
  }
}
