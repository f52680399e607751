import type { Step } from '../context.ts'

/** Answers are data of one organization: never guessed to be anything but JSON, never kept by a cache. */
export const setSecurityHeaders: Step = async (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Cache-Control', 'no-store')
  await next()
}
