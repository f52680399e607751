/** `GET /v1/webhooks/{id}/deliveries`. Source: decisions, "Webhooks and events". */
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { DELIVERY_STATUS } from '@platen/resources/webhook-delivery-schema.ts'
import { webhookDeliveryToJson } from '@platen/resources/webhook-delivery-to-json.ts'
import { z } from 'zod'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { PAGE_QUERY, pageQuery, pageToJson } from '../request/page.ts'
import { pathId } from '../request/path-id.ts'

/** Given once or several times. In one order and each once, so that the same filter has the same cursors. */
function anyOf<const Value extends string>(values: readonly Value[]) {
  const rule = `must be one of ${values.map((value) => `\`${value}\``).join(', ')}`
  const value = z.enum(values, rule)
  return z.union([value, z.array(value)], rule).transform((given) => [...new Set([given].flat())].toSorted())
}

export const DELIVERIES_QUERY = PAGE_QUERY.extend({
  status: anyOf(DELIVERY_STATUS.options).optional(),
  type: anyOf(EVENT_TYPES).optional(),
})

export function listWebhookDeliveries({ deliveries, cursors }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx, cursors, DELIVERIES_QUERY)
    const { status = [], type = [] } = query.filters
    const { deliveries: found, end } = await deliveries.listDeliveries({
      ...tenantOf(ctx),
      endpointId: pathId(ctx, 'webhook endpoint'),
      statuses: status,
      eventTypes: type,
      page: query.page,
    })
    ctx.body = pageToJson(found.map(webhookDeliveryToJson), end, query, cursors)
  }
}
