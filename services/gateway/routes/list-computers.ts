import { computerToJson } from '@platen/resources/computer-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pageQuery, pageToJson } from '../request/page.ts'

export function listComputers({ devices, cursors }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx, cursors)
    const { computers, end } = await devices.listComputers({ ...tenantOf(ctx), page: query.page })
    ctx.body = pageToJson(computers.map(computerToJson), end, query, cursors)
  }
}
