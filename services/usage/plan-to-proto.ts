/** The only mapping of plans to proto. */
import { create } from '@bufbuild/protobuf'
import { PlanSchema } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import type { PlanRow } from './entities.ts'

/** @param plan null: the default plan, which has no limits. Reference: docs/reference/usage.md#plans. */
export function planToProto(plan: PlanRow | null) {
  const printsLimit = plan?.printsLimit ?? undefined
  const computersLimit = plan?.computersLimit ?? undefined
  const name = printsLimit === undefined && computersLimit === undefined ? 'self-hosted' : 'custom'
  return create(PlanSchema, { name, printsLimit, computersLimit })
}
