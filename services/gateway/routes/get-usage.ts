import { callerOf, type RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { usageToJson } from '../json/usage-to-json.ts'

/** `GET /v1/usage`: of the organization's live mode, also for a test key. Source: decisions, "Identity and limits". */
export function getUsage({ usage, devices, jobs }: Gateway): RouteStep {
  return async (ctx) => {
    const organizationId = callerOf(ctx).organization.id
    const [used, computers, testJobs] = await Promise.all([
      usage.getUsage({ organizationId }),
      devices.countComputers({ organizationId, mode: 'live' }),
      jobs.countTestJobsToday({ organizationId }),
    ])
    ctx.body = usageToJson(used, computers.count, testJobs)
  }
}
