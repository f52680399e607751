/** Begins jobs of IPP, many by one statement: a computer that sends Create-Job waits for its commit. */
import type { CreateSubmissionRequest, Submission } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { NUMBER, PRINT_ACCESS_LIMITS } from '@platen/resources/limits.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { SubmissionEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { submissionToProto } from '../jobs-to-proto.ts'

/** The time in which a document must begin, or go on, to arrive. */
export const WAIT_MS = 60_000

/** Ended submissions of a print access. The newest stay. */
const ENDED_MAX = 1_000

const BATCH_MAX = 50

/**
 * Takes numbers, as creations do: `create-jobs-sql.ts`. A repeated item inserts nothing. Each access deletes its own
 * old ones. Scans the index `ipp_submission_of_access`.
 */
const CREATE = `
WITH item AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1) AS item (
    id uuid, organization_id uuid, mode text, printer_id uuid, destination_id uuid, created_by text, title text,
    reported_user text, options jsonb, created_at timestamptz, expires_at timestamptz, ordinal int
  )
),
permitted AS MATERIALIZED (
  SELECT *, row_number() OVER (PARTITION BY organization_id, mode ORDER BY ordinal) AS nth FROM (
    SELECT *, row_number() OVER (PARTITION BY created_by ORDER BY ordinal) + (
      SELECT count(*) FROM jobs.ipp_submission AS open
      WHERE open.created_by = item.created_by AND ended_at IS NULL AND open.expires_at > item.created_at
    ) AS open_nth
    FROM item WHERE NOT EXISTS (SELECT FROM jobs.ipp_submission AS known WHERE known.id = item.id)
  ) AS counted
  WHERE open_nth <= ${PRINT_ACCESS_LIMITS.openJobs}
),
numbered AS (
  INSERT INTO jobs.job_number AS job_number (organization_id, mode, last)
  SELECT organization_id, mode, count(*) FROM permitted GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (organization_id, mode) DO UPDATE SET last = job_number.last + excluded.last
  RETURNING organization_id, mode, COALESCE(old.last, 0) AS before
),
crowded AS (
  DELETE FROM jobs.ipp_submission USING (SELECT DISTINCT created_by FROM item) AS access
  WHERE ipp_submission.created_by = access.created_by AND ended_at IS NOT NULL AND number <= (
    SELECT number FROM jobs.ipp_submission AS ended
    WHERE ended.created_by = access.created_by AND ended_at IS NOT NULL ORDER BY number DESC OFFSET ${ENDED_MAX} LIMIT 1
  )
)
INSERT INTO jobs.ipp_submission (
  id, organization_id, mode, printer_id, destination_id, created_by, title, reported_user, options, created_at,
  expires_at, number
)
SELECT
  id, organization_id, mode, printer_id, destination_id, created_by, title, reported_user, options, created_at,
  expires_at, before + nth
FROM permitted JOIN numbered USING (organization_id, mode) WHERE before + nth <= ${NUMBER.max}
ON CONFLICT (id) DO NOTHING
RETURNING id, number`

interface NewSubmission {
  request: CreateSubmissionRequest
  createdAt: Date
  expiresAt: Date
}

const toItem = ({ request, createdAt, expiresAt }: NewSubmission, ordinal: number) => ({
  id: request.id,
  organization_id: request.organizationId,
  mode: request.mode,
  printer_id: request.printerId,
  destination_id: request.destinationId,
  created_by: request.createdBy,
  title: request.title,
  reported_user: request.reportedUser,
  options: request.options ?? {},
  created_at: createdAt,
  expires_at: expiresAt,
  ordinal,
})

/**
 * Begins a job whose document follows. It is durable when the call returns, so that a computer that asks for it after a
 * failure learns that it was not printed, and does not take it as printed.
 *
 * @returns the call. @throws ApiError `rate_limited` if the print access has too many open ones.
 */
export function createSubmissions({ pool, orm, clock }: Pick<Jobs, 'pool' | 'orm' | 'clock'>) {
  /** The number of each, null if it was not inserted. */
  const insert = createBatches<NewSubmission, number | null>({
    maxItems: BATCH_MAX,
    getKey: ({ request }) => request.id,
    getOwner: ({ request }) => request.organizationId,
    async run(items) {
      const statement = { name: 'create submissions', text: CREATE, values: [JSON.stringify(items.map(toItem))] }
      const { rows } = await pool.query<{ id: string; number: number }>(statement)
      const numbers = new Map(rows.map(({ id, number }) => [id, number]))
      return new Map(items.map(({ request }) => [request.id, numbers.get(request.id) ?? null]))
    },
  })

  return async (request: CreateSubmissionRequest): Promise<{ submission: Submission }> => {
    const { id, organizationId, mode, printerId, destinationId, createdBy, title, reportedUser, options = {} } = request
    const now = clock.now()
    const created = { request, createdAt: now, expiresAt: new Date(now.getTime() + WAIT_MS) }
    const number = await insert(created)
    const facts = { id, organizationId, mode, createdBy, title, options, createdAt: now, expiresAt: created.expiresAt }
    const nulls = {
      printerId: printerId ?? null,
      destinationId: destinationId ?? null,
      reportedUser: reportedUser ?? null,
    }
    const submission =
      number === null
        ? await orm.em.fork().findOne(SubmissionEntity, { id, createdBy })
        : { ...facts, ...nulls, number, endedAt: null, endReason: null }
    if (!submission)
      throw new ApiError(
        'rate_limited',
        `This print access has ${PRINT_ACCESS_LIMITS.openJobs} jobs without a document. Try again later.`,
        { retryAfterSeconds: WAIT_MS / 1000 },
      )
    return { submission: submissionToProto(submission, now) }
  }
}
