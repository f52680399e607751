import type { Step } from '../context.ts'

/** The policy of pages in HTML. They use none of these, and an empty policy would deny nothing. */
export const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/**
 * The headers of every response, also of one to an invalid request. Browsers must not guess its type, cache it, show it
 * in a frame or run anything in it.
 *
 * @param hsts the value of `Strict-Transport-Security`; undefined: no header.
 */
export function securityHeaders(hsts: string | undefined): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    ...(hsts !== undefined && { 'Strict-Transport-Security': hsts }),
  }
}

/** A route can override them. */
export function setSecurityHeaders(hsts: string | undefined): Step {
  const headers = securityHeaders(hsts)
  return async (ctx, next) => {
    ctx.set(headers)
    await next()
  }
}
