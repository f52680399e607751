import { LARGE } from '../../operation/operation.ts'
import { readPage } from '../numbers.ts'
import { readJobs } from '../read-jobs.ts'
import type { Route } from '../route.ts'
import { statesToPrintNode } from '../to-json.ts'

/** An array for each job. */
export const listStates: Route = {
  method: 'GET',
  paths: ['printjobs/states', 'printjobs/{}/states'],
  scope: 'read',
  units: LARGE,
  handle:
    (gateway) =>
    async ({ ctx, tenant, parts: [set] }) => {
      const jobs = await readJobs(gateway, tenant, { jobs: set, ...readPage(ctx.query) })
      return await Promise.all(
        jobs.map(async (job) => {
          const { events } = await gateway.jobs.listJobEvents({ ...tenant, jobId: job.id })
          return statesToPrintNode(job, events)
        }),
      )
    },
}
