/**
 * Converts an error of a step to the error envelope. The only writer of error responses to requests that reach the app.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import type { Context } from 'koa'
import type { Step } from '../context.ts'
import { errorEnvelope } from '../error-envelope.ts'
import type { Gateway } from '../gateway.ts'
import { RequestAborted } from '../request/read-body.ts'

/** The schemes that `authentication/credentials.ts` reads. Some clients send a key only after such a challenge. */
const CHALLENGES = 'Bearer, Basic realm="Platen"'
/** The challenge of the dashboard. `Basic` would make browsers ask for a password. */
const DASHBOARD_CHALLENGE = 'Bearer'

/**
 * The delay of each 503 that names no other time. Clients without a delay of their own would add their retries to an
 * outage.
 */
const UNAVAILABLE_SECONDS = 1

/**
 * The response to an `ApiError` has its code. Any other error is a defect, which is logged and not described to the
 * caller.
 */
export function answerErrors({ log, upgradeUrl, publicUrl }: Pick<Gateway, 'log' | 'upgradeUrl' | 'publicUrl'>): Step {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (error instanceof RequestAborted) {
        ctx.state.errorCode = 'client_aborted'
        ctx.respond = false
        ctx.res.destroy()
        return
      }
      const answer =
        error instanceof ApiError
          ? error
          : new ApiError('internal_error', 'The service has a defect. Try again in a moment.', { cause: error })
      if (answer.status >= 500)
        log.error({ err: answer.cause ?? answer, request_id: ctx.state.requestId }, 'request failed')
      ctx.state.errorCode = answer.code
      ctx.state.errorMessage = answer.message
      ctx.status = answer.status
      if (answer.status === 401) ctx.set('WWW-Authenticate', isOfDashboard(ctx) ? DASHBOARD_CHALLENGE : CHALLENGES)
      const retryAfterSeconds = answer.retryAfterSeconds ?? (answer.status === 503 ? UNAVAILABLE_SECONDS : undefined)
      if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds))
      ctx.body = errorEnvelope(answer, { requestId: ctx.state.requestId, publicUrl, upgradeUrl })
    }
  }
}

const isOfDashboard = ({ headers, path }: Context) => 'platen-mode' in headers || path.startsWith('/account/')
