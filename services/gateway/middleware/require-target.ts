import { ApiError } from '@platen/runtime/errors.ts'
import type { Context } from 'koa'
import type { Step } from '../context.ts'

/**
 * Refuses a request that does not say once which host it is for (RFC 9112, section 3.2), or whose target names no path. Node
 * hands on all that has the form of a URL, `foo://bar` too; the steps behind this one may ask for `ctx.path`.
 */
export const requireTarget: Step = async (ctx, next) => {
  const hosts = ctx.req.headersDistinct.host ?? []
  if (hosts.length > 1 || (hosts.length === 0 && ctx.req.httpVersion !== '1.0'))
    throw new ApiError('invalid_request', 'Send the header `Host` once.')
  if (!pathOf(ctx)) throw new ApiError('invalid_request', 'The request line names no path.')
  await next()
}

/** @returns null or undefined when the target has none. */
function pathOf(ctx: Context): string | null | undefined {
  try {
    return ctx.path
  } catch {
    // Node's parser of URLs throws for some that are none.
    return undefined
  }
}
