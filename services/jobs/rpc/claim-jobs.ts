import { create, type JsonObject } from '@bufbuild/protobuf'
import {
  type ClaimJobsRequest,
  type ClaimJobsResponse,
  ClaimJobsResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { changeStates, systemChange } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import type { JobState } from '../states.ts'

/** The columns of `jobs.job` that an agent needs. */
interface ClaimedRow {
  id: string
  state: JobState
  attempt: number
  computer_id: string
  printer_id: string
  title: string
  content_type: string
  qty: number
  options: JsonObject
  file_size_bytes: number
  file_sha256: string
  expires_at: Date
  traceparent: string
}

const RESENDS_AT_ONCE = 100

/**
 * Jobs in `sent` that go out again: a resend fell due, or the answer to an earlier claim got lost. Not a change of state: that is
 * recorded already.
 */
const TAKE_RESENDS = `
WITH due AS (
  SELECT id FROM jobs.job
  WHERE computer_id = $1 AND state = 'sent' AND (push_due OR NOT id = ANY($4::uuid[]))
    AND EXISTS (SELECT FROM jobs.computer_fence WHERE computer_id = $1 AND epoch = $2)
  ORDER BY accepted_order LIMIT $3 FOR UPDATE
)
UPDATE jobs.job SET push_due = false FROM due WHERE job.id = due.id RETURNING job.*`

const QUEUED = `
SELECT id AS job_id, NULL AS message FROM jobs.job
WHERE computer_id = $2 AND state = 'queued' AND NOT printer_id = ANY($5::uuid[])
  AND EXISTS (SELECT FROM jobs.computer_fence WHERE computer_id = $2 AND epoch = $3)
ORDER BY accepted_order LIMIT $4`

/**
 * Gives a computer's stream the jobs that it should push now, first accepted first; `queued` ones become `sent`.
 * `limit` is for the latter alone: those that are sent again have their place at the agent already. An older epoch than the
 * computer's newest gets nothing.
 */
export async function claimJobs(jobs: Jobs, request: ClaimJobsRequest): Promise<ClaimJobsResponse> {
  const { computerId, epoch, limit, heldPrinterIds } = request
  const now = jobs.clock.now()
  const resent = request.queuedOnly ? [] : await takeResends(jobs, request)
  const pushed =
    limit > 0
      ? await changeStates<ClaimedRow>(
          jobs.pool,
          systemChange('claim', 'push', QUEUED, [computerId, epoch, limit, heldPrinterIds]),
          now,
        )
      : []
  if (pushed.length > 0) jobs.eventsAdded()
  return create(ClaimJobsResponseSchema, { jobs: [...resent, ...pushed].map((row) => claimedJob(row, now)) })
}

async function takeResends(jobs: Jobs, { computerId, epoch, claimedJobIds }: ClaimJobsRequest): Promise<ClaimedRow[]> {
  const { rows } = await jobs.pool.query<ClaimedRow>({
    name: 'take resends',
    text: TAKE_RESENDS,
    values: [computerId, epoch, RESENDS_AT_ONCE, claimedJobIds],
  })
  return rows
}

function claimedJob(row: ClaimedRow, now: Date) {
  return {
    jobId: row.id,
    attempt: row.attempt,
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
