import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { GetUsageRequest } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import type { PlanRow } from '../entities.ts'
import { organizationIdOf } from '../organization-id.ts'
import { periodAt } from '../period.ts'
import { planToProto } from '../plan-to-proto.ts'
import type { Usage } from '../usage.ts'

interface Row {
  prints: number
  prints_limit: string | null
  computers_limit: string | null
}

/** Two look-ups by primary key: nothing is counted when it is asked for. */
const SQL = `
SELECT COALESCE(prints, 0) AS prints, prints_limit, computers_limit
FROM (SELECT $1::uuid AS organization_id) AS asked
LEFT JOIN usage.plan USING (organization_id)
LEFT JOIN usage.period_count AS counted ON counted.organization_id = asked.organization_id AND period_start = $2`

/** @throws ApiError `invalid_request` when `organization_id` is no UUID. */
export async function getUsage(usage: Usage, request: GetUsageRequest) {
  const { start, end } = periodAt(usage.clock.now())
  const { rows } = await usage.pool.query<Row>({
    name: 'get usage',
    text: SQL,
    values: [organizationIdOf(request), start],
  })
  return {
    periodStart: timestampFromDate(start),
    periodEnd: timestampFromDate(end),
    printsUsed: rows[0]?.prints ?? 0,
    plan: planToProto(rows[0] ? planOf(rows[0]) : null),
  }
}

function planOf({ prints_limit, computers_limit }: Row): PlanRow {
  const number = (text: string | null) => (text === null ? null : Number(text))
  return { printsLimit: number(prints_limit), computersLimit: number(computers_limit) }
}
