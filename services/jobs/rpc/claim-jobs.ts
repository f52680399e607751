import { create } from '@bufbuild/protobuf'
import { HELD_JOBS_MAX } from '@platen/proto/agent-bounds.ts'
import {
  type Claim,
  type ClaimJobsRequest,
  type ClaimJobsResponse,
  ClaimJobsResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { changeStates, systemChange } from '../change-state.ts'
import { BEGIN_BATCHES, IS_BEHIND_BATCH } from '../claims/begun-batches.ts'
import { CLAIMED_COLUMNS, type ClaimedRow, toClaimedJob, withContents } from '../claims/claimed-jobs.ts'
import type { Jobs } from '../jobs.ts'
import { IS_ACTIVE, IS_HELD_BACK } from '../states.ts'

/** Resends of one computer and claim. */
const RESENDS_PER_CLAIM_MAX = 100
const REMOVALS_PER_CLAIM_MAX = 1_000

/** SQL: the claims of streams that are the newest of their computer. */
const fencedClaims = (parameter: string, columns: string) =>
  `jsonb_to_recordset(${parameter}) AS claim (computer_id uuid, epoch bigint, ${columns})
   JOIN jobs.computer_fence USING (computer_id, epoch)`

/**
 * Takes jobs in `sent` that must be pushed again, because a resend is due or the response of an earlier claim was lost.
 * Changes no state, because the resend is already recorded. Locks in the order of ids, like `changeStates`.
 */
const TAKE_RESENDS = `
WITH due AS MATERIALIZED (
  SELECT found.id FROM ${fencedClaims('$1', 'claimed uuid[]')}
  CROSS JOIN LATERAL (
    SELECT id FROM jobs.job
    WHERE job.computer_id = claim.computer_id AND ${IS_ACTIVE} AND state = 'sent'
      AND (push_due OR NOT id = ANY(claimed))
    ORDER BY accepted_order LIMIT ${RESENDS_PER_CLAIM_MAX}
  ) AS found
),
locked AS MATERIALIZED (
  SELECT id FROM jobs.job JOIN due USING (id) WHERE state = 'sent' ORDER BY id FOR UPDATE OF job
),
taken AS (UPDATE jobs.job SET push_due = false FROM locked WHERE job.id = locked.id RETURNING job.*)
SELECT id, state, attempt, computer_id, ${CLAIMED_COLUMNS.join(', ')} FROM taken ORDER BY accepted_order`

/**
 * Claimed jobs that are no longer `sent` (for example expired), with a null computer, and removals that the agent has
 * not confirmed.
 */
const ENDED_AND_REMOVALS = `
SELECT NULL::uuid AS computer_id, claimed.id AS job_id FROM unnest($1::uuid[]) AS claimed (id)
WHERE NOT EXISTS (SELECT FROM jobs.job WHERE job.id = claimed.id AND state = 'sent')
UNION ALL
SELECT computer_id, found.job_id FROM ${fencedClaims('$2', 'claimed uuid[]')}
CROSS JOIN LATERAL (
  SELECT job_id FROM jobs.removal
  WHERE removal.computer_id = claim.computer_id ORDER BY job_id LIMIT ${REMOVALS_PER_CLAIM_MAX}
) AS found`

/**
 * A job whose document is being fetched blocks later jobs of its printer, so that they keep their order, rarely for
 * more than the 30 s of a fetch. A scalar subquery, so that any plan scans the jobs in order.
 */
const FETCHED_BEFORE = `accepted_order < COALESCE((
  SELECT min(fetching.accepted_order) FROM jobs.job AS fetching
  WHERE fetching.printer_id = job.printer_id AND fetching.fetching AND fetching.waiting_destination_id IS NULL),
    '9223372036854775807')`

/**
 * Jobs after the first ones with the agent or to be sent wait, because a hello lists the jobs that an agent holds
 * (`HELD_JOBS_MAX`). An older job whose printer was disabled can follow, so an agent holds at most twice as many.
 */
const WITH_AGENT_MAX = HELD_JOBS_MAX / 2

const QUEUED = `
SELECT found.id AS job_id, 'push' AS trigger, NULL AS message FROM ${fencedClaims('$2', '"limit" int, blocked uuid[]')}
CROSS JOIN LATERAL (
  SELECT id FROM (
    SELECT id, state, printer_id, accepted_order, batch_id FROM jobs.job
    WHERE job.computer_id = claim.computer_id AND ${IS_ACTIVE}
      AND (state <> 'queued' OR NOT (printer_id = ANY(blocked) OR ${IS_HELD_BACK}))
    ORDER BY accepted_order LIMIT ${WITH_AGENT_MAX}
  ) AS job
  WHERE state = 'queued' AND ${FETCHED_BEFORE} AND NOT ${IS_BEHIND_BATCH} ORDER BY accepted_order LIMIT "limit"
) AS found`

/**
 * Returns the jobs that each computer's stream must push now, in the order of acceptance. `queued` jobs become `sent`.
 * A stream gets at most `limit` of them, minus the resends that are missing from its `claimed_job_ids`, because known
 * resends already use a slot of its window. A stream with an outdated epoch gets nothing.
 *
 * @throws ApiError `invalid_request` for a duplicate `computer_id`.
 */
export async function claimJobs(jobs: Jobs, { claims }: ClaimJobsRequest): Promise<ClaimJobsResponse> {
  if (new Set(claims.map(({ computerId }) => computerId)).size !== claims.length)
    throw new ApiError('invalid_request', 'Each `computer_id` must be unique within a call.')
  const now = jobs.clock.now()
  const full = claims.filter(({ queuedOnly }) => !queuedOnly)
  const resent = await takeResends(jobs, full)
  const { overJobIds, removals } = await findEndedAndRemovals(jobs, full)
  const pushed = await pushQueued(jobs, subtractResends(claims, resent), now)
  if (pushed.length > 0) jobs.eventsAdded()
  return create(ClaimJobsResponseSchema, {
    jobs: withContents(
      jobs,
      mergeInOrder(resent, pushed).map((row) => toClaimedJob(row, now)),
    ),
    overJobIds,
    removals,
  })
}

/** @returns the claims with a remaining limit. */
function subtractResends(claims: Claim[], resent: ClaimedRow[]): Claim[] {
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

/** A requeued job can precede resends. */
function mergeInOrder(resent: ClaimedRow[], pushed: ClaimedRow[]): ClaimedRow[] {
  if (resent.length === 0 || pushed.length === 0) return [...resent, ...pushed]
  return [...resent, ...pushed].sort((a, b) => Number(a.accepted_order) - Number(b.accepted_order))
}

async function takeResends(jobs: Jobs, claims: Claim[]): Promise<ClaimedRow[]> {
  if (claims.length === 0) return []
  const { rows } = await jobs.pool.query<ClaimedRow>({
    name: 'take resends',
    text: TAKE_RESENDS,
    values: [JSON.stringify(claims.map((claim) => ({ ...toStream(claim), claimed: claim.claimedJobIds })))],
  })
  return rows
}

async function findEndedAndRemovals(jobs: Jobs, claims: Claim[]) {
  if (claims.length === 0) return { overJobIds: [], removals: [] }
  const { rows } = await jobs.pool.query<{ computer_id: string | null; job_id: string }>({
    name: 'ended and removals',
    text: ENDED_AND_REMOVALS,
    values: [claims.flatMap(({ claimedJobIds }) => claimedJobIds), JSON.stringify(claims.map(toStream))],
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
  const limits = claims.map((claim) => ({ ...toStream(claim), limit: claim.limit, blocked: claim.blockedPrinterIds }))
  const source = { ...systemChange('claim', QUEUED, [JSON.stringify(limits)]), also: BEGIN_BATCHES }
  return await changeStates<ClaimedRow>(jobs.pool, { ...source, returning: [...CLAIMED_COLUMNS, 'queued_at'] }, at)
}

const toStream = ({ computerId, epoch }: Claim) => ({ computer_id: computerId, epoch: epoch.toString() })
