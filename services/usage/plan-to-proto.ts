/** Row to proto: the only mapping of plans on this side. */
import { create } from '@bufbuild/protobuf'
import { PlanSchema } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import type { PlanRow } from './entities.ts'

/** @param plan null if none was set: the default plan has no limit (docs/reference/usage.md#plans). */
export function planToProto(plan: PlanRow | null) {
  const printsLimit = plan?.printsLimit ?? undefined
  const computersLimit = plan?.computersLimit ?? undefined
  const name = printsLimit === undefined && computersLimit === undefined ? 'self-hosted' : 'custom'
  return create(PlanSchema, { name, printsLimit, computersLimit })
}
