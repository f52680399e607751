import type { SetPlanRequest } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { PlanEntity } from '../entities.ts'
import { planToProto } from '../plan-to-proto.ts'
import { parseOrganizationId, type Usage } from '../usage.ts'

/**
 * Replaces both limits. An absent limit is removed. Takes effect in the current period.
 *
 * @throws ApiError `invalid_request` if `organization_id` is not a UUID.
 */
export async function setPlan(usage: Usage, request: SetPlanRequest) {
  const plan = {
    organizationId: parseOrganizationId(request),
    printsLimit: request.printsLimit ?? null,
    computersLimit: request.computersLimit ?? null,
    changedAt: usage.clock.now(),
  }
  await usage.orm.em.fork().upsert(PlanEntity, plan)
  return { plan: planToProto(plan) }
}
