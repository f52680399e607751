import type { ReleaseJobRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { JobEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { jobToProto } from '../jobs-to-proto.ts'
import { HELD } from '../states.ts'
import { toWaiting, type WaitingRow } from '../to-waiting.ts'
import { jobNotFound } from './get-job.ts'

/**
 * The jobs of a batch are released together, because none is printed before those in front of it. Locks in the order of
 * ids.
 */
const RELEASE = `
WITH released AS MATERIALIZED (
  SELECT id FROM jobs.job
  WHERE (id = $1 OR batch_id = (SELECT batch_id FROM jobs.job WHERE id = $1))
    AND organization_id = $2 AND mode = $3 AND state = 'queued' AND '${HELD}' = ANY(state_reasons)
  ORDER BY id FOR UPDATE
)
UPDATE jobs.job SET state_reasons = array_remove(state_reasons, '${HELD}') FROM released WHERE job.id = released.id
RETURNING job.computer_id, job.waiting_destination_id, job.id`

/**
 * Lets a held job be printed, and the others of its batch. Changes no job that is not held, so that the call can be
 * repeated. Reference: docs/reference/print-jobs.md#held-and-scheduled-jobs.
 *
 * @throws ApiError `not_found` also for a job of another organization or mode.
 */
export async function releaseJob(jobs: Jobs, { organizationId, mode, jobId }: ReleaseJobRequest) {
  const { rows } = await jobs.pool.query<WaitingRow & { id: string }>({
    name: 'release job',
    text: RELEASE,
    values: [jobId, organizationId, mode],
  })
  jobs.announceWaiting(rows.map((row) => toWaiting(row, row.id)))
  const job = await jobs.orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })
  if (!job) throw jobNotFound(mode)
  return { job: jobToProto(job) }
}
