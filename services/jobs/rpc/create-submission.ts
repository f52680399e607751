import type { CreateSubmissionRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { NUMBER, PRINT_ACCESS_LIMITS } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { SubmissionEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { submissionToProto } from '../jobs-to-proto.ts'

/** The time in which a document must begin, or go on, to arrive. */
export const WAIT_MS = 60_000

/** Ended submissions of a print access. The newest stay. */
const ENDED_MAX = 1_000

/**
 * Takes a number, as a creation does: `create-jobs.ts`. A repeated call inserts nothing. Each access deletes its own
 * old ones.
 */
const CREATE = `
WITH numbered AS (
  INSERT INTO jobs.job_number AS job_number (organization_id, mode, last)
  SELECT $2::uuid, $3, 1 WHERE NOT EXISTS (SELECT FROM jobs.ipp_submission WHERE id = $1)
    AND (
      SELECT count(*) FROM jobs.ipp_submission WHERE created_by = $5 AND ended_at IS NULL AND expires_at > $9
    ) < ${PRINT_ACCESS_LIMITS.openJobs}
  ON CONFLICT (organization_id, mode) DO UPDATE SET last = job_number.last + 1
  RETURNING last
),
crowded AS (
  DELETE FROM jobs.ipp_submission WHERE created_by = $5 AND ended_at IS NOT NULL AND number <= (
    SELECT number FROM jobs.ipp_submission
    WHERE created_by = $5 AND ended_at IS NOT NULL ORDER BY number DESC OFFSET ${ENDED_MAX} LIMIT 1
  )
)
INSERT INTO jobs.ipp_submission (
  id, organization_id, mode, printer_id, created_by, title, reported_user, options, created_at, expires_at,
  destination_id, number
)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, last FROM numbered WHERE last <= ${NUMBER.max}
ON CONFLICT (id) DO NOTHING
RETURNING number`

/**
 * Begins a job whose document follows. It is durable when the call returns, so that a computer that asks for it after a
 * failure learns that it was not printed, and does not take it as printed.
 *
 * @throws ApiError `rate_limited` if the print access has too many open ones.
 */
export async function createSubmission(jobs: Jobs, request: CreateSubmissionRequest) {
  const { id, organizationId, mode, printerId, destinationId, createdBy, title, reportedUser, options = {} } = request
  const now = jobs.clock.now()
  const expiresAt = new Date(now.getTime() + WAIT_MS)
  const { rows } = await jobs.pool.query<{ number: number }>({
    name: 'create submission',
    text: CREATE,
    values: [
      ...[id, organizationId, mode, printerId, createdBy, title, reportedUser, options, now, expiresAt],
      destinationId,
    ],
  })
  const [created] = rows
  const facts = { id, organizationId, mode, createdBy, title, options, createdAt: now, expiresAt }
  const nulls = {
    printerId: printerId ?? null,
    destinationId: destinationId ?? null,
    reportedUser: reportedUser ?? null,
  }
  const submission = created
    ? { ...facts, ...nulls, number: created.number, endedAt: null, endReason: null }
    : await jobs.orm.em.fork().findOne(SubmissionEntity, { id, createdBy })
  if (!submission)
    throw new ApiError(
      'rate_limited',
      `This print access has ${PRINT_ACCESS_LIMITS.openJobs} jobs without a document. Try again later.`,
      {
        retryAfterSeconds: WAIT_MS / 1000,
      },
    )
  return { submission: submissionToProto(submission, now) }
}
