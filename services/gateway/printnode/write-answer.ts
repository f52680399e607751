/**
 * Writes responses as PrintNode does. Its Python library accepts `Content-Type: application/json` only without a
 * charset, its PHP library reads `Content-Length` as a number of characters, and all read `code` and `message` of an
 * error.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { RequestAborted } from '../request/read-body.ts'
import { JsonText } from './to-json.ts'

const CODES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'TooLarge',
  429: 'TooManyRequests',
}

export function writeAnswer(ctx: RequestContext, status: number, json: unknown): void {
  // ASCII, so that each character is a byte.
  const text = json instanceof JsonText ? json.text : JSON.stringify(json ?? null)
  const bytes = Buffer.from(text.replace(/[^\0-\x7f]/g, escapeUnit))
  ctx.status = status
  ctx.body = bytes
  ctx.set('Content-Type', 'application/json')
  ctx.length = bytes.length
}

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** @throws errors after which no response can be sent. */
export function writeError(ctx: RequestContext, { log }: Pick<Gateway, 'log'>, error: unknown): void {
  if (error instanceof RequestAborted) throw error
  const answer =
    error instanceof ApiError ? error : new ApiError('internal_error', 'The service has a defect.', { cause: error })
  const { requestId } = ctx.state
  if (answer.status >= 500) log.error({ err: answer.cause ?? answer, request_id: requestId }, 'request failed')
  const { message } = answer
  ctx.state.errorCode = answer.code
  ctx.state.errorMessage = message
  if (answer.status === 401) ctx.set('WWW-Authenticate', 'Basic realm="Platen"')
  if (answer.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(answer.retryAfterSeconds))
  const status = answer.code === 'idempotency_key_reused' ? 409 : answer.status
  writeAnswer(ctx, status, { code: CODES[status] ?? 'Error', message, uid: requestId })
}
