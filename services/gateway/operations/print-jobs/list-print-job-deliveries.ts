import { WEBHOOK_DELIVERY_PAGE, webhookDeliveryToJson } from '@platen/resources/webhook-delivery-schema.ts'
import { operation } from '../../operation/operation.ts'
import { PAGE_QUERY } from '../../request/page.ts'

export const listPrintJobDeliveries = operation({
  operationId: 'listPrintJobDeliveries',
  method: 'get',
  path: '/v1/printjobs/{id}/deliveries',
  ids: { id: 'print job' },
  scope: 'admin',
  tag: 'Print jobs',
  summary: 'List the webhook deliveries of a print job',
  description:
    'Lists the deliveries of the events of the job to all endpoints, the newest first by default. `webhookId` and `id` identify a delivery for reading its attempts and for replaying it. Deliveries are stored for 30 days; those to deleted endpoints are not listed.',
  query: PAGE_QUERY,
  answer: { status: 200, description: 'A page of deliveries.', schema: WEBHOOK_DELIVERY_PAGE },
  handle:
    ({ jobs, deliveries }) =>
    async ({ tenant, ids, query }) => {
      const [found] = await Promise.all([
        deliveries.listResourceDeliveries({ ...tenant, resourceId: ids.id, page: query.page }),
        jobs.getJob({ ...tenant, jobId: ids.id }),
      ])
      return { data: found.deliveries.map(webhookDeliveryToJson), end: found.end }
    },
})
