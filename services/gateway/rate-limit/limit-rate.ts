import { ApiError } from '@platen/runtime/errors.ts'
import type { Step } from '../context.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** The window is one second: whoever waits for it has waited long enough. */
const RETRY_AFTER_SECONDS = '1'

/**
 * Counts every request that has a valid key, whatever becomes of it, and refuses those over the limit before anything is done for them.
 * Says on each answer how much is left. Source: specification, "Limits".
 */
export function limitRate(limiter: RateLimiter): Step {
  const limit = String(limiter.limit)
  return async (ctx, next) => {
    const { caller } = ctx.state
    if (caller) {
      const taken = limiter.take(caller.apiKey.id)
      const { accepted, remaining } = taken instanceof Promise ? await taken : taken
      ctx.set('RateLimit-Limit', limit)
      ctx.set('RateLimit-Remaining', String(remaining))
      // Seconds until a request is free: none when one is.
      ctx.set('RateLimit-Reset', remaining > 0 ? '0' : '1')
      if (!accepted) {
        ctx.set('Retry-After', RETRY_AFTER_SECONDS)
        throw new ApiError(
          'rate_limited',
          `This key may make ${limit} requests a second. Wait for as long as \`Retry-After\` says, then send this one again.`,
        )
      }
    }
    await next()
  }
}
