import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { computerToJson } from '../json/computer-to-json.ts'
import { pageQuery, pageToJson } from '../request/page.ts'

export function listComputers({ devices }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx)
    const { computers, hasMore } = await devices.listComputers({ ...tenantOf(ctx), page: query.page })
    ctx.body = pageToJson(computers.map(computerToJson), hasMore, query)
  }
}
