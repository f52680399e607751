import { ApiError } from '@platen/runtime/errors.ts'
import type { Context } from 'koa'
import { findMemberships, getCredentialId, type Session } from '../caller.ts'
import type { Step } from '../context.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** The window of the limit. */
const RETRY_AFTER_SECONDS = '1'

/**
 * Counts every request with a valid key or session, whatever its result. The sessions of an organization share a limit
 * beside that of its keys, so that the dashboard takes nothing from the keys. Reference:
 * docs/reference/limits.md#request-rate.
 */
export function limitRate(limiter: RateLimiter): Step {
  return async (ctx, next) => {
    const { caller, session } = ctx.state
    if (session)
      await countRequest(limiter, ctx, {
        kind: 'session',
        id: session.id,
        organizationId: getSessionOwner(ctx, session),
      })
    else if (caller)
      await countRequest(limiter, ctx, {
        kind: 'key',
        id: getCredentialId(caller),
        organizationId: caller.organization.id,
      })
    await next()
  }
}

/** The organization of the request, or the user of a request that names none. */
function getSessionOwner(ctx: Pick<Context, 'get'>, session: Session): string {
  const [membership, other] = findMemberships(ctx, session)
  return membership && !other ? `${membership.organization.id}/sessions` : session.user.id
}

/**
 * Counts a request and sets the headers of the rate limit.
 *
 * @throws ApiError `rate_limited` for a request over the limit.
 */
export async function countRequest(
  limiter: RateLimiter,
  ctx: Pick<Context, 'set'>,
  { kind, id, organizationId }: { kind: 'key' | 'token' | 'session' | 'address'; id: string; organizationId: string },
): Promise<void> {
  const { perKey, perOrganization } = limiter.limits
  const taken = limiter.take(id, organizationId)
  const { accepted, remaining, organizationExceeded } = taken instanceof Promise ? await taken : taken
  ctx.set('RateLimit-Limit', String(perKey))
  ctx.set('RateLimit-Remaining', String(remaining))
  // Seconds until another request is permitted.
  ctx.set('RateLimit-Reset', remaining > 0 ? '0' : '1')
  if (accepted) return
  ctx.set('Retry-After', RETRY_AFTER_SECONDS)
  throw new ApiError(
    'rate_limited',
    `${organizationExceeded ? `This organization can make ${perOrganization}` : `This ${kind} can make ${perKey}`} requests a second. Send the request again after the time in \`Retry-After\`.`,
  )
}
