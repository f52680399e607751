import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ListLastPrintsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'

/** Reads one row for each printer by `job_ended_of_printer`. Takes no locks. */
const LIST = `
SELECT requested.printer_id AS "printerId", newest.finished_at AS "printedAt"
FROM unnest($3::uuid[]) AS requested (printer_id)
CROSS JOIN LATERAL (
  SELECT organization_id, mode, finished_at FROM jobs.job
  WHERE job.printer_id = requested.printer_id AND final_state = 'done' ORDER BY commit_seq DESC, id DESC LIMIT 1
) AS newest
WHERE organization_id = $1 AND mode = $2`

export async function listLastPrints(
  { lists }: Pick<Jobs, 'lists'>,
  { organizationId, mode, printerIds }: ListLastPrintsRequest,
) {
  const values = [organizationId, mode, printerIds]
  const { rows } = await lists.query<{ printerId: string; printedAt: Date }>(LIST, values)
  return { prints: rows.map(({ printerId, printedAt }) => ({ printerId, printedAt: timestampFromDate(printedAt) })) }
}
