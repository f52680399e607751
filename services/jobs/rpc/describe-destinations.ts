import type { DescribeDestinationsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'

/** The statement counts by the index `job_waiting`. */
const WAITING = `
SELECT waiting_destination_id AS "destinationId", count(*)::int AS jobs FROM jobs.job
WHERE waiting_destination_id = ANY($1::uuid[]) AND organization_id = $2 AND mode = $3 GROUP BY 1`

/** The index `job_taken` finds the jobs. A printer can have two for a moment, after an upgrade. */
const TAKEN = `
SELECT DISTINCT ON (printer_id) printer_id AS "printerId", id AS "jobId" FROM jobs.job
WHERE printer_id = ANY($1::uuid[]) AND organization_id = $2 AND mode = $3
  AND destination_id IS NOT NULL AND waiting_destination_id IS NULL AND final_state IS NULL
ORDER BY printer_id, accepted_order`

export async function describeDestinations(
  { lists }: Pick<Jobs, 'lists'>,
  { organizationId, mode, destinationIds, printerIds }: DescribeDestinationsRequest,
) {
  const [waiting, taken] = await Promise.all([
    lists.query<{ destinationId: string; jobs: number }>(WAITING, [destinationIds, organizationId, mode]),
    lists.query<{ printerId: string; jobId: string }>(TAKEN, [printerIds, organizationId, mode]),
  ])
  return { queues: waiting.rows, jobs: taken.rows }
}
