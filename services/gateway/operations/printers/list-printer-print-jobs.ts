import { JOB_PAGE, printJobToJson } from '@platen/resources/print-job-schema.ts'
import { operation } from '../../operation/operation.ts'
import { PAGE_QUERY } from '../../request/page.ts'

export const listPrinterPrintJobs = operation({
  operationId: 'listPrinterPrintJobs',
  method: 'get',
  path: '/v1/printers/{id}/printjobs',
  ids: { id: 'printer' },
  scope: 'read',
  tag: 'Printers',
  summary: 'List the print jobs of a printer',
  description: 'Lists the jobs for this printer, the newest first by default.',
  query: PAGE_QUERY,
  answer: { status: 200, description: 'A page of jobs.', schema: JOB_PAGE },
  handle:
    ({ jobs, devices }) =>
    async ({ tenant, ids, query }) => {
      const ofPrinter = { ...tenant, printerId: ids.id }
      const [found] = await Promise.all([
        jobs.listJobs({ ...ofPrinter, page: query.page }),
        // A removed printer is a 404. `GET /v1/printjobs` still lists its jobs.
        devices.getPrinter(ofPrinter),
      ])
      return { data: found.jobs.map(printJobToJson), end: found.end }
    },
})
