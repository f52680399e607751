import { JOB_EVENT_LIST, printJobEventToJson } from '@platen/resources/print-job-schema.ts'
import { operation } from '../../operation/operation.ts'

export const listPrintJobEvents = operation({
  operationId: 'listPrintJobEvents',
  method: 'get',
  path: '/v1/printjobs/{id}/events',
  ids: { id: 'print job' },
  scope: 'read',
  tag: 'Print jobs',
  summary: 'List the events of a print job',
  description: 'Lists every state of the job and the actor of each change, the oldest first. The list has no pages.',
  answer: { status: 200, description: 'All events of the job.', schema: JOB_EVENT_LIST },
  handle:
    ({ jobs }) =>
    async ({ tenant, ids }) => {
      const { events } = await jobs.listJobEvents({ ...tenant, jobId: ids.id })
      return { data: events.map(printJobEventToJson) }
    },
})
