import { toClientNetwork } from '@platen/runtime/client-network.ts'
import type { RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { countRequest } from './limit-rate.ts'

/** Gives each address the rate limit of a key, so that a flood from one costs the services little. */
export function limitAddress({ rateLimiter, getClientAddress }: Gateway): RouteStep {
  return async (ctx, next) => {
    const id = `address:${toClientNetwork(getClientAddress(ctx.req))}`
    await countRequest(rateLimiter, ctx, { kind: 'address', id, organizationId: id })
    await next()
  }
}
