import { LARGE } from '../../operation/operation.ts'
import { readPage } from '../numbers.ts'
import { jobsToPrintNode, readJobs } from '../read-jobs.ts'
import type { Route } from '../route.ts'

/** An empty set of printers, as in `/printers//printjobs`, is all of them. */
export const listPrintJobs: Route = {
  method: 'GET',
  paths: ['printjobs', 'printjobs/{}', 'printers/printjobs', 'printers/printjobs/{}'],
  scope: 'read',
  units: LARGE,
  handle:
    (gateway) =>
    async ({ ctx, tenant, parts: [jobs] }) =>
      await jobsToPrintNode(gateway, tenant, await readJobs(gateway, tenant, { jobs, ...readPage(ctx.query) })),
}

export const listPrinterPrintJobs: Route = {
  method: 'GET',
  paths: ['printers/{}/printjobs', 'printers/{}/printjobs/{}'],
  scope: 'read',
  units: LARGE,
  handle:
    (gateway) =>
    async ({ ctx, tenant, parts: [printers, jobs] }) =>
      await jobsToPrintNode(
        gateway,
        tenant,
        await readJobs(gateway, tenant, { printers, jobs, ...readPage(ctx.query) }),
      ),
}
