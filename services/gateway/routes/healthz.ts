import type { RouteStep } from '../context.ts'

/**
 * Reports that the process runs. Independent of the other services, because a restart of this one would not repair
 * them.
 */
export const healthz: RouteStep = (ctx) => {
  ctx.body = { status: 'ok' }
}
