import type { RouteStep } from '../context.ts'

/** The process is up. Says nothing about the other services: restarting this one would not bring them back. */
export const healthz: RouteStep = (ctx) => {
  ctx.body = { status: 'ok' }
}
