import { printJobEventToJson } from '@platen/resources/print-job-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pathId } from '../request/path-id.ts'

/** All of them, oldest first; the one list without pages. */
export function listPrintJobEvents({ jobs }: Gateway): RouteStep {
  return async (ctx) => {
    const { events } = await jobs.listJobEvents({ ...tenantOf(ctx), jobId: pathId(ctx, 'print job') })
    ctx.body = { data: events.map(printJobEventToJson) }
  }
}
