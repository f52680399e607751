import { ApiError } from '@platen/runtime/errors.ts'
import type { Context } from 'koa'

/** The letters of hosts and ports. A command contains the origin, so no other character may be part of it. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i

/**
 * The address of this installation for people and programs: `PLATEN_PUBLIC_URL`, or the address of the request, also
 * behind a proxy that ends TLS.
 *
 * @throws ApiError `invalid_request` for a request whose `Host` is no host.
 */
export function getOwnOrigin(ctx: Pick<Context, 'get' | 'protocol'>, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin
  const host = ctx.get('Host')
  if (!HOST.test(host))
    throw new ApiError('invalid_request', 'The header `Host` is no host name with an optional port.', {
      param: 'Host',
    })
  const isSecure = ctx.protocol === 'https' || /^https\b/i.test(ctx.get('X-Forwarded-Proto'))
  return `${isSecure ? 'https' : 'http'}://${host}`
}
