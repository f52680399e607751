import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext, RouteStep } from '../context.ts'
import { quoted } from './invalid-request.ts'

const JSON_TYPE = /^application\/json\s*(;|$)/i
/** Another one than UTF-8. */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(?:;|$))([^;]*)/i

/** Refuses a body that is not plain JSON before it is read. */
export const requireJsonBody: RouteStep = async (ctx, next) => {
  refuseOtherBody(ctx)
  await next()
}

/** @throws ApiError `unsupported_media_type` for anything but plain JSON in UTF-8. */
export function refuseOtherBody(ctx: Pick<RequestContext, 'get'>): void {
  const type = ctx.get('Content-Type')
  const [, charset] = OTHER_CHARSET.exec(type) ?? []
  if (charset !== undefined)
    throw new ApiError('unsupported_media_type', `Send the body in UTF-8 instead of ${quoted(charset.trim())}.`)
  if (!JSON_TYPE.test(type))
    throw new ApiError('unsupported_media_type', 'Send the body as `Content-Type: application/json`, in UTF-8.')
  const encoding = ctx.get('Content-Encoding')
  if (encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media_type', 'Send the body without `Content-Encoding`.')
}
