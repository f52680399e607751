import type { Step } from '../context.ts'

/**
 * The headers of every response, also of one to an invalid request. Browsers must not guess its type, cache it, show it in a frame or
 * run anything in it.
 *
 * @param hstsSeconds 0: no header. With it browsers refuse the host without TLS, which only the operator can decide.
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

/** A route can override them. */
export function setSecurityHeaders(hstsSeconds: number): Step {
  const headers = securityHeaders(hstsSeconds)
  return async (ctx, next) => {
    ctx.set(headers)
    await next()
  }
}
