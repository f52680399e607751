import type { Logger } from '@platen/runtime/log.ts'
import { httpServerDuration, rateLimited } from '@platen/runtime/telemetry/metrics.ts'
import { getCredentialId } from '../caller.ts'
import type { Step } from '../context.ts'

/**
 * Writes one log line with all facts of a request, and counts it. The line has the template of the route instead of the
 * path, which can contain a mistyped secret. It never contains keys, bodies or titles.
 */
export function logRequest(log: Logger): Step {
  return async (ctx, next) => {
    const startedAt = performance.now()
    await next()
    const durationMs = performance.now() - startedAt
    const { requestId, caller, session, errorCode } = ctx.state
    const { method, _matchedRoute: route } = ctx
    const status = errorCode === 'client_aborted' ? null : ctx.status
    const labels = { route: String(route ?? 'other'), method, status: String(status ?? 'aborted') }
    httpServerDuration.record(durationMs / 1000, labels)
    if (errorCode === 'rate_limited') rateLimited.add(1, {})
    log.info(
      {
        method,
        route: route ?? null,
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        request_id: requestId,
        organization_id: caller?.organization.id ?? null,
        api_key_id: caller && caller.credential.kind !== 'session' ? getCredentialId(caller) : null,
        user_id: session?.user.id ?? null,
        error_code: errorCode ?? null,
      },
      'request',
    )
  }
}
