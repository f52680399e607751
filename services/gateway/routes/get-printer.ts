import { printerToJson } from '@platen/resources/printer-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { pathId } from '../request/path-id.ts'

export function getPrinter({ devices }: Gateway): RouteStep {
  return async (ctx) => {
    const { printer } = await devices.getPrinter({ ...tenantOf(ctx), printerId: pathId(ctx, 'printer') })
    ctx.body = printerToJson(required(printer))
  }
}
