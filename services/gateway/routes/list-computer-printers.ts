/** `GET /v1/computers/{id}/printers`, in the shape of the list of printers. */

import { printerToJson } from '@platen/resources/printer-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pageQuery, pageToJson } from '../request/page.ts'
import { pathId } from '../request/path-id.ts'

export function listComputerPrinters({ devices, cursors }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx, cursors)
    const computerId = pathId(ctx, 'computer')
    const { printers, end } = await devices.listPrinters({ ...tenantOf(ctx), computerId, page: query.page })
    ctx.body = pageToJson(printers.map(printerToJson), end, query, cursors)
  }
}
