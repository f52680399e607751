import type { Step } from '../context.ts'
import type { ApiKeys } from './api-keys.ts'
import { readCredential } from './credentials.ts'

const MISSING =
  'No API key was sent. Send `Authorization: Bearer <API_KEY>`, or HTTP Basic with the key as the user name.'

/**
 * Requires a valid key for every path below `/v1`, also for the response that a path does not exist.
 *
 * @param publicPaths below `/v1` that need no key.
 */
export function authenticate(apiKeys: ApiKeys, publicPaths: readonly string[]): Step {
  return async (ctx, next) => {
    const isBelowV1 = ctx.path === '/v1' || ctx.path.startsWith('/v1/')
    if (isBelowV1 && !publicPaths.includes(ctx.path))
      ctx.state.caller = await apiKeys.find(readCredential(ctx.req, MISSING))
    await next()
  }
}
