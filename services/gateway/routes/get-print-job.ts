import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { pathId } from '../request/path-id.ts'

export function getPrintJob({ jobs }: Gateway): RouteStep {
  return async (ctx) => {
    const { job } = await jobs.getJob({ ...tenantOf(ctx), jobId: pathId(ctx, 'print job') })
    ctx.body = printJobToJson(required(job))
  }
}
