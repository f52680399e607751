import type { Logger } from '@platen/runtime/log.ts'
import type { Step } from '../context.ts'

/**
 * Writes one log line with all facts of a request. It has the template of the route instead of the path, which can contain a mistyped
 * secret. It never contains keys, bodies or titles.
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
