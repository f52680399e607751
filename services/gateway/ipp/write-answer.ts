/**
 * Writes answers of IPP. A status of HTTP other than 200 is for requests without a valid secret, and for those that are
 * no IPP.
 */
import { readFileSync } from 'node:fs'
import { encodeMessage, type IppMessage } from '@platen/ipp/encode.ts'
import { type IppStatus, STATUS_CODES } from '@platen/ipp/status-codes.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { text } from '@platen/ipp/typed.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { RequestAborted } from '../request/read-body.ts'
import { ICON } from './addresses.ts'
import type { IppAnswer } from './operation.ts'
import { IppRefusal, STATUSES } from './refusal.ts'
import { type Head, toVersion } from './request.ts'

/** The maximum of a text (RFC 8011, section 5.1.2). */
const MESSAGE_MAX = 255

const MEDIA_TYPE = 'application/ipp'

export function writeAnswer(ctx: RequestContext, head: Head, { status, printer, jobs, unsupported }: IppAnswer): void {
  const hasUnsupported = unsupported !== undefined && Object.keys(unsupported).length > 0
  const byDefault = hasUnsupported ? 'successful-ok-ignored-or-substituted-attributes' : 'successful-ok'
  write(ctx, head, status ?? byDefault, undefined, [
    ...(hasUnsupported ? [{ tag: GROUPS.unsupported, attributes: unsupported }] : []),
    ...(printer ? [{ tag: GROUPS.printer, attributes: printer }] : []),
    ...(jobs ?? []).map((attributes) => ({ tag: GROUPS.job, attributes })),
  ])
}

/** @throws errors after which no response can be sent. */
export function writeError(ctx: RequestContext, { log }: Pick<Gateway, 'log'>, head: Head, error: unknown): void {
  if (error instanceof RequestAborted) throw error
  const refusal = toRefusal(error)
  const { requestId } = ctx.state
  if (refusal.status === 'server-error-internal-error' || isOutage(error))
    log.error({ err: toCause(error), request_id: requestId }, 'request failed')
  ctx.state.errorCode = error instanceof ApiError ? error.code : 'invalid_request'
  ctx.state.errorMessage = `${refusal.message} (${refusal.status})`
  const { unsupported } = refusal
  write(ctx, head, refusal.status, refusal.message, [
    ...(unsupported ? [{ tag: GROUPS.unsupported, attributes: unsupported }] : []),
  ])
}

const isOutage = (error: unknown) => error instanceof ApiError && error.status >= 500

const toCause = (error: unknown) => (error instanceof ApiError ? (error.cause ?? error) : error)

function toRefusal(error: unknown): IppRefusal {
  if (error instanceof IppRefusal) return error
  const status = error instanceof ApiError ? STATUSES[error.code] : undefined
  if (!status) return new IppRefusal('server-error-internal-error', 'The service has a defect. Try again in a moment.')
  return new IppRefusal(status, (error as ApiError).message)
}

function write(
  ctx: RequestContext,
  { version, requestId }: Head,
  status: IppStatus,
  message: string | undefined,
  groups: IppMessage['groups'],
): void {
  const operation = {
    'attributes-charset': { syntax: 'charset', value: 'utf-8' },
    'attributes-natural-language': { syntax: 'naturalLanguage', value: 'en' },
    ...(message !== undefined && { 'status-message': text(message.slice(0, MESSAGE_MAX).toWellFormed()) }),
  } as const
  ctx.status = 200
  ctx.body = encodeMessage({
    version: toVersion(version),
    code: STATUS_CODES[status],
    requestId,
    groups: [{ tag: GROUPS.operation, attributes: operation }, ...groups],
  })
  ctx.set('Content-Type', MEDIA_TYPE)
}

export const isIpp = (ctx: RequestContext) => ctx.get('Content-Type').split(';')[0]?.trim().toLowerCase() === MEDIA_TYPE

const icon = readFileSync(new URL('printer.png', import.meta.url))

export function writeIcon(ctx: RequestContext): void {
  ctx._matchedRoute = ICON
  ctx.status = 200
  ctx.body = icon
  ctx.set('Content-Type', 'image/png')
}

/** For computers that show texts of HTTP, and for people who open the address in a browser. */
export function writeHttp(ctx: RequestContext, status: number, message: string): void {
  ctx.status = status
  ctx.body = Buffer.from(`${message}\n`)
  ctx.set('Content-Type', 'text/plain; charset=utf-8')
}
