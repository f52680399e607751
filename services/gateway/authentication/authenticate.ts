import { ApiError } from '@platen/runtime/errors.ts'
import type { Step } from '../context.ts'
import { OPERATIONS } from '../operations.ts'
import type { ApiKeys } from './api-keys.ts'
import { apiKeyOf } from './credentials.ts'

/**
 * Paths below `/v1` without a key (docs/reference/conventions.md#public-pages). An enrolment is authenticated by its token, which the route
 * checks.
 */
const PATHS_WITHOUT_KEY = [
  '/v1/openapi.json',
  ...OPERATIONS.filter(({ credential }) => credential).map(({ path }) => path),
]

/** Lets nothing else below `/v1` happen without a valid key, not even the answer that a path does not exist. */
export function authenticate(apiKeys: ApiKeys): Step {
  return async (ctx, next) => {
    if (isGuarded(ctx.path)) {
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

function isGuarded(path: string): boolean {
  return (path === '/v1' || path.startsWith('/v1/')) && !PATHS_WITHOUT_KEY.includes(path)
}
