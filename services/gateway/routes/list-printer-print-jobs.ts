import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pageQuery, pageToJson } from '../request/page.ts'
import { pathId } from '../request/path-id.ts'

/** A printer that was removed is a 404; its jobs are still among those of `GET /v1/printjobs`. */
export function listPrinterPrintJobs({ jobs, devices, cursors }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx, cursors)
    const ofPrinter = { ...tenantOf(ctx), printerId: pathId(ctx, 'printer') }
    const [{ jobs: found, end }] = await Promise.all([
      jobs.listJobs({ ...ofPrinter, page: query.page }),
      devices.getPrinter(ofPrinter),
    ])
    ctx.body = pageToJson(found.map(printJobToJson), end, query, cursors)
  }
}
