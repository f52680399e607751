import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pathId } from '../request/path-id.ts'

export function getEvent({ events }: Gateway): RouteStep {
  return async (ctx) => {
    const { event } = await events.getEvent({ ...tenantOf(ctx), eventId: pathId(ctx, 'event') })
    ctx.body = JSON.parse(event)
  }
}
