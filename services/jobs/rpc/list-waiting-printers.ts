import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ListWaitingPrintersRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'
import { IS_ACTIVE, IS_HELD_BACK } from '../states.ts'

/** The jobs of an organization and mode, the first accepted ones. */
const JOBS_READ = 10_000

/** Reads the unfinished jobs of these organizations by `job_unfinished`. Takes no locks. */
const LIST = `
SELECT DISTINCT ON (printer_id) organization_id AS "organizationId", mode, printer_id AS "printerId",
  computer_id AS "computerId", id AS "jobId", created_at AS "createdAt"
FROM unnest($1::uuid[]) AS requested (organization)
CROSS JOIN unnest('{live,test}'::text[]) AS requested_mode
CROSS JOIN LATERAL (
  SELECT * FROM (
    SELECT organization_id, mode, printer_id, computer_id, id, created_at FROM jobs.job
    WHERE organization_id = organization AND mode = requested_mode AND ${IS_ACTIVE} AND NOT ${IS_HELD_BACK}
    ORDER BY commit_seq, id LIMIT ${JOBS_READ}
  ) AS oldest WHERE created_at <= $2
) AS waiting
ORDER BY printer_id, created_at, id`

interface Row {
  organizationId: string
  mode: string
  printerId: string
  computerId: string
  jobId: string
  createdAt: Date
}

export async function listWaitingPrinters(
  { lists, clock }: Pick<Jobs, 'lists' | 'clock'>,
  { organizationIds, createdBefore }: ListWaitingPrintersRequest,
) {
  const before = createdBefore ? timestampDate(createdBefore) : clock.now()
  const { rows } = await lists.query<Row>(LIST, [organizationIds, before])
  return { printers: rows.map((row) => ({ ...row, createdAt: timestampFromDate(row.createdAt) })) }
}
