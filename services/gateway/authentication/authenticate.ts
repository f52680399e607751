import { ApiError } from '@platen/runtime/errors.ts'
import type { Step } from '../context.ts'
import type { ApiKeys } from './api-keys.ts'
import { apiKeyOf } from './credentials.ts'

/** Lets nothing below `/v1` happen without a valid key, not even the answer that a path does not exist. */
export function authenticate(apiKeys: ApiKeys): Step {
  return async (ctx, next) => {
    if (ctx.path === '/v1' || ctx.path.startsWith('/v1/')) {
      const key = apiKeyOf(ctx.req)
      ctx.state.caller = key === undefined ? undefined : await apiKeys.find(key)
      if (!ctx.state.caller)
        throw new ApiError(
          'unauthorized',
          'Send a valid API key: `Authorization: Bearer <API_KEY>`, or HTTP Basic with the key as the user name.',
        )
    }
    await next()
  }
}
