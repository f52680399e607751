import type { SetPlanRequest } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { PlanEntity } from '../entities.ts'
import { organizationIdOf } from '../organization-id.ts'
import { planToProto } from '../plan-to-proto.ts'
import type { Usage } from '../usage.ts'

/**
 * Replaces both limits: one that is absent is lifted. Holds for the current period too, whatever was used of it.
 *
 * @throws ApiError `invalid_request` when `organization_id` is no UUID.
 */
export async function setPlan(usage: Usage, request: SetPlanRequest) {
  const plan = {
    organizationId: organizationIdOf(request),
    printsLimit: request.printsLimit ?? null,
    computersLimit: request.computersLimit ?? null,
    changedAt: usage.clock.now(),
  }
  await usage.orm.em.fork().upsert(PlanEntity, plan)
  return { plan: planToProto(plan) }
}
