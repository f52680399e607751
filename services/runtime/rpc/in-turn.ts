/**
 * Serves the calls about an organization in turn, so that the requests of one never have all connections of the
 * database. Calls that wait for an agent or for an event use none meanwhile, and calls with work of several
 * organizations have a share for each: `batches.ts`.
 */
import { type DescMethod, getOption } from '@bufbuild/protobuf'
import type { Interceptor, UnaryRequest } from '@connectrpc/connect'
import { waits_for_agent } from '@platen/proto/gen/platen/operators/v1/callers_pb.ts'
import { createTurns } from '../turns.ts'

/** Calls of an organization and replica. The smallest pool has two connections. */
export const CALLS_AT_ONCE = 2

export function serveInTurn(): Interceptor {
  const inTurn = createTurns({ atOnce: Number.POSITIVE_INFINITY, perOwner: CALLS_AT_ONCE })
  return (next) => (request) => {
    const ownerId = request.stream ? undefined : findOwner(request)
    return ownerId === undefined ? next(request) : inTurn(ownerId, async () => await next(request))
  }
}

function findOwner({ method, message }: UnaryRequest): string | undefined {
  const { organizationId, waitMs } = message as { organizationId?: unknown; waitMs?: unknown }
  const isOfOne = typeof organizationId === 'string' && organizationId !== ''
  return isOfOne && !waitMs && !waitsForAgent(method) ? organizationId : undefined
}

const waiting = new WeakMap<DescMethod, boolean>()

function waitsForAgent(method: DescMethod): boolean {
  const known = waiting.get(method) ?? getOption(method, waits_for_agent)
  waiting.set(method, known)
  return known
}
