/** `GET /v1/computers/{id}/printers`, in the shape of the list of printers. */
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { printerToJson } from '../json/printer-to-json.ts'
import { pageQuery, pageToJson } from '../request/page.ts'
import { pathId } from '../request/path-id.ts'

export function listComputerPrinters({ devices }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx)
    const computerId = pathId(ctx, 'computer')
    const { printers, hasMore } = await devices.listPrinters({ ...tenantOf(ctx), computerId, page: query.page })
    ctx.body = pageToJson(printers.map(printerToJson), hasMore, query)
  }
}
