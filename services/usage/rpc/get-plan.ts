import type { GetPlanRequest } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { PlanEntity } from '../entities.ts'
import { planToProto } from '../plan-to-proto.ts'
import { parseOrganizationId, type Usage } from '../usage.ts'

/** @throws ApiError `invalid_request` if `organization_id` is not a UUID. */
export async function getPlan(usage: Usage, request: GetPlanRequest) {
  const plan = await usage.orm.em.fork().findOne(PlanEntity, parseOrganizationId(request))
  return { plan: planToProto(plan) }
}
