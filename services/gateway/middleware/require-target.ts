import { ApiError } from '@platen/runtime/errors.ts'
import type { Context } from 'koa'
import type { Step } from '../context.ts'

/**
 * Refuses a request without exactly one `Host` (RFC 9112, section 3.2) or without a path in its target. Node accepts
 * any form of URL, also `foo://bar`. The next steps can read `ctx.path`.
 */
export const requireTarget: Step = async (ctx, next) => {
  const hosts = ctx.req.headersDistinct.host ?? []
  if (hosts.length > 1 || (hosts.length === 0 && ctx.req.httpVersion !== '1.0'))
    throw new ApiError('invalid_request', 'Send the header `Host` once.', { param: 'Host' })
  if (!getPath(ctx)) throw new ApiError('invalid_request', 'The request line has no path.')
  await next()
}

/** @returns null or undefined if the target has no path. */
function getPath(ctx: Context): string | null | undefined {
  try {
    return ctx.path
  } catch {
    // Node's URL parser throws for some invalid URLs.
    return undefined
  }
}
