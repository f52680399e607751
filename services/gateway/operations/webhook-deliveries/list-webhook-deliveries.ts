import { EVENT_TYPE } from '@platen/resources/event-types.ts'
import {
  DELIVERY_STATUS,
  WEBHOOK_DELIVERY_PAGE,
  webhookDeliveryToJson,
} from '@platen/resources/webhook-delivery-schema.ts'
import { LARGE, LIST, operation } from '../../operation/operation.ts'
import { anyOf } from '../../request/any-of.ts'
import { hasSeveralFilters, PAGE_QUERY } from '../../request/page.ts'

const DELIVERIES_QUERY = PAGE_QUERY.extend({
  status: anyOf(DELIVERY_STATUS)
    .optional()
    .meta({ description: 'Only deliveries in this status. Can be repeated to select several statuses.' }),
  type: anyOf(EVENT_TYPE)
    .optional()
    .meta({ description: 'Only deliveries of events of this type. Can be repeated to select several types.' }),
})

export const listWebhookDeliveries = operation({
  operationId: 'listWebhookDeliveries',
  method: 'get',
  path: '/v1/webhooks/{id}/deliveries',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'List the deliveries of an endpoint',
  description:
    'Lists the deliveries of the endpoint, also pending ones and those that it missed while it was disabled, the newest first by default. Deliveries are stored for 30 days. Several filters select the deliveries that match all of them.',
  query: DELIVERIES_QUERY,
  units: ({ filters }) => (hasSeveralFilters(filters) ? LARGE : LIST),
  answer: { status: 200, description: 'A page of deliveries.', schema: WEBHOOK_DELIVERY_PAGE },
  handle:
    ({ deliveries }) =>
    async ({ tenant, ids, query }) => {
      const { status = [], type = [] } = query.filters
      const found = await deliveries.listDeliveries({
        ...tenant,
        endpointId: ids.id,
        statuses: status,
        eventTypes: type,
        page: query.page,
      })
      return { data: found.deliveries.map(webhookDeliveryToJson), end: found.end }
    },
})
