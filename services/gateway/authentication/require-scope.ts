import { ApiError } from '@platen/runtime/errors.ts'
import { getCaller, type RouteStep } from '../context.ts'

export type Scope = 'read' | 'print' | 'admin'

/** `admin` satisfies every check; `read` and `print` are independent of each other (docs/reference/authentication.md#scopes). */
export function requireScope(scope: Scope): RouteStep {
  return async (ctx, next) => {
    const { scopes } = getCaller(ctx).apiKey
    if (!scopes.includes(scope) && !scopes.includes('admin'))
      throw new ApiError('insufficient_scope', `This needs an API key with the scope \`${scope}\`.`)
    await next()
  }
}
