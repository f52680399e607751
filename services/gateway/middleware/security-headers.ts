import type { Step } from '../context.ts'

/**
 * What every answer says of itself, also one to what is no request at all: it is data of one organization, never guessed to be anything
 * but what it says, never kept by a cache, never shown in a frame, and nothing in it is run.
 *
 * @param hstsSeconds 0: not said. Browsers would then refuse the host without TLS, which only its operator knows to be right.
 */
export function securityHeaders(hstsSeconds: number): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    ...(hstsSeconds > 0 ? { 'Strict-Transport-Security': `max-age=${hstsSeconds}; includeSubDomains` } : {}),
  }
}

/** A route may say something else. */
export function setSecurityHeaders(hstsSeconds: number): Step {
  const headers = securityHeaders(hstsSeconds)
  return async (ctx, next) => {
    ctx.set(headers)
    await next()
  }
}
