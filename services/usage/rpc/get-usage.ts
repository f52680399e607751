import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { GetUsageRequest } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { PeriodCountEntity, PlanEntity } from '../entities.ts'
import { planToProto } from '../plan-to-proto.ts'
import { parseOrganizationId, type Usage } from '../usage.ts'

/** @throws ApiError `invalid_request` if `organization_id` is not a UUID. */
export async function getUsage(usage: Usage, request: GetUsageRequest) {
  const organizationId = parseOrganizationId(request)
  const { start, end } = getMonth(usage.clock.now())
  const em = usage.orm.em.fork()
  const counted = await em.findOne(PeriodCountEntity, { organizationId, periodStart: start })
  return {
    periodStart: timestampFromDate(start),
    periodEnd: timestampFromDate(end),
    printsUsed: counted?.prints ?? 0,
    plan: planToProto(await em.findOne(PlanEntity, organizationId)),
  }
}

/** The calendar month in UTC; `end` is exclusive. Reference: docs/reference/usage.md. */
function getMonth(time: Date): { start: Date; end: Date } {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}
