/** `DELETE /v1/computers/{id}`. Source: decisions, "Computers and printers". */
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pathId } from '../request/path-id.ts'

export function deleteComputer({ devices }: Gateway): RouteStep {
  return async (ctx) => {
    await devices.deleteComputer({ ...tenantOf(ctx), computerId: pathId(ctx, 'computer') })
    ctx.status = 204
  }
}
