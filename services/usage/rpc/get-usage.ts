import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { GetUsageRequest } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import type { PlanRow } from '../entities.ts'
import { planToProto } from '../plan-to-proto.ts'
import { parseOrganizationId, type Usage } from '../usage.ts'

interface Row {
  prints: number
  prints_limit: string | null
  computers_limit: string | null
}

/** Two lookups by primary key. `record-prints.ts` maintains the counts. */
const SQL = `
SELECT COALESCE(prints, 0) AS prints, prints_limit, computers_limit
FROM (SELECT $1::uuid AS organization_id) AS requested
LEFT JOIN usage.plan USING (organization_id)
LEFT JOIN usage.period_count AS counted ON counted.organization_id = requested.organization_id AND period_start = $2`

/** @throws ApiError `invalid_request` if `organization_id` is not a UUID. */
export async function getUsage(usage: Usage, request: GetUsageRequest) {
  const { start, end } = getMonth(usage.clock.now())
  const { rows } = await usage.pool.query<Row>({
    name: 'get usage',
    text: SQL,
    values: [parseOrganizationId(request), start],
  })
  return {
    periodStart: timestampFromDate(start),
    periodEnd: timestampFromDate(end),
    printsUsed: rows[0]?.prints ?? 0,
    plan: planToProto(rows[0] ? toPlan(rows[0]) : null),
  }
}

/** The calendar month in UTC; `end` is exclusive. Reference: docs/reference/usage.md. */
function getMonth(time: Date): { start: Date; end: Date } {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}

function toPlan({ prints_limit, computers_limit }: Row): PlanRow {
  const number = (text: string | null) => (text === null ? null : Number(text))
  return { printsLimit: number(prints_limit), computersLimit: number(computers_limit) }
}
