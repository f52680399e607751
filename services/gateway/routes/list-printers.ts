import { printerToJson } from '@platen/resources/printer-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pageQuery, pageToJson } from '../request/page.ts'

export function listPrinters({ devices, cursors }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx, cursors)
    const { printers, end } = await devices.listPrinters({ ...tenantOf(ctx), page: query.page })
    ctx.body = pageToJson(printers.map(printerToJson), end, query, cursors)
  }
}
