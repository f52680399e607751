import type { IncomingHttpHeaders } from 'node:http'
import { quoted } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext, RouteStep } from '../context.ts'

const JSON_TYPE = /^application\/json\s*(;|$)/i
/** A form without its boundary is one as well, which `read-form.ts` names. */
const FORM_TYPE = /^multipart\/form-data\s*(;|$)/i
/** Another one than UTF-8, which some clients write as `utf8`, or in single quotes. */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!["']?utf-?8["']?\s*(?:;|$))([^;]*)/i

/** Refuses a body that is neither plain JSON nor a form before it is read. */
export const requireJsonOrForm: RouteStep = async (ctx, next) => {
  if (isForm(ctx.req.headers)) refuseEncoding(ctx)
  else refuseOtherBody(ctx, 'Send the body as `Content-Type: application/json`, in UTF-8, or as `multipart/form-data`.')
  await next()
}

/** Refuses a body that is not plain JSON before it is read. */
export const requireJson: RouteStep = async (ctx, next) => {
  refuseOtherBody(ctx)
  await next()
}

export const isForm = (headers: IncomingHttpHeaders) => FORM_TYPE.test(headers['content-type'] ?? '')

/** @throws ApiError `unsupported_media_type` for anything but plain JSON in UTF-8. */
export function refuseOtherBody(
  ctx: Pick<RequestContext, 'get'>,
  rule = 'Send the body as `Content-Type: application/json`, in UTF-8.',
): void {
  const type = ctx.get('Content-Type')
  const [, charset] = OTHER_CHARSET.exec(type) ?? []
  if (charset !== undefined) throw refusal(`Send the body in UTF-8 instead of ${quoted(charset.trim())}.`)
  if (!JSON_TYPE.test(type)) throw refusal(rule)
  refuseEncoding(ctx)
}

function refuseEncoding(ctx: Pick<RequestContext, 'get'>): void {
  const encoding = ctx.get('Content-Encoding')
  if (encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw refusal('Send the body without `Content-Encoding`.', 'Content-Encoding')
}

const refusal = (message: string, param = 'Content-Type') => new ApiError('unsupported_media_type', message, { param })
