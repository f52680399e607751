import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { printerToJson } from '../json/printer-to-json.ts'
import { pageQuery, pageToJson } from '../request/page.ts'

export function listPrinters({ devices }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx)
    const { printers, hasMore } = await devices.listPrinters({ ...tenantOf(ctx), page: query.page })
    ctx.body = pageToJson(printers.map(printerToJson), hasMore, query)
  }
}
