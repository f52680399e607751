import { ApiError } from '@platen/runtime/errors.ts'
import type { Context } from 'koa'
import type { Step } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { refuseOtherBody } from '../request/json-body.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
const WITH_BODY = new Set(['POST', 'PATCH', 'PUT'])

/**
 * Refuses changes that another site sends with the cookie of a browser (CSRF), also sign-ins. A JSON body and the
 * header `Platen-Mode` force a preflight, which the gateway does not answer. `SameSite=Strict` alone would permit hosts
 * of the same site.
 *
 * @throws ApiError `forbidden` for another origin; `unsupported_media_type` for a body that a form can send.
 */
export function refuseForgedRequest({ publicUrl }: Pick<Gateway, 'publicUrl'>): Step {
  return async (ctx, next) => {
    const usesCookies = ctx.state.session !== undefined || ctx.path.startsWith('/account/')
    if (usesCookies && !SAFE.has(ctx.method)) {
      if (!isSameOrigin(ctx, publicUrl))
        throw new ApiError('forbidden', 'This request comes from another site. Send it from the dashboard.')
      if (WITH_BODY.has(ctx.method)) refuseOtherBody(ctx)
    }
    await next()
  }
}

/** Browsers send `Sec-Fetch-Site` only to hosts with TLS and to localhost. */
function isSameOrigin(ctx: Context, publicUrl: string | undefined): boolean {
  const site = ctx.get('Sec-Fetch-Site')
  if (site !== '') return site === 'same-origin'
  const own = publicUrl === undefined ? `${ctx.protocol}://${ctx.get('Host')}` : new URL(publicUrl).origin
  return ctx.get('Origin').toLowerCase() === own.toLowerCase()
}
