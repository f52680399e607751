import { computerToJson } from '@platen/resources/computer-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { pathId } from '../request/path-id.ts'

export function getComputer({ devices }: Gateway): RouteStep {
  return async (ctx) => {
    const { computer } = await devices.getComputer({ ...tenantOf(ctx), computerId: pathId(ctx, 'computer') })
    ctx.body = computerToJson(required(computer))
  }
}
