import type { Logger } from '@platen/runtime/log.ts'
import type { Step } from '../context.ts'

/**
 * Writes the one line that tells all about a request. The route's template stands for the path, which may hold what somebody
 * mistyped; keys, bodies and titles are never part of it.
 */
export function logRequest(log: Logger): Step {
  return async (ctx, next) => {
    const startedAt = performance.now()
    await next()
    const { requestId, caller, errorCode } = ctx.state
    log.info(
      {
        method: ctx.method,
        route: ctx._matchedRoute ?? null,
        status: errorCode === 'client_aborted' ? null : ctx.status,
        duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
        request_id: requestId,
        organization_id: caller?.organization.id ?? null,
        api_key_id: caller?.apiKey.id ?? null,
        error_code: errorCode ?? null,
      },
      'request',
    )
  }
}
