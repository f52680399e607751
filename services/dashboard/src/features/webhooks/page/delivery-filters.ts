/** The filters of the deliveries of an endpoint, which are the search parameters of its URL. */
import type { WebhookDelivery } from '../../../api/gen/schema.ts'

type Delivery = WebhookDelivery

export const STATUSES: Delivery['status'][] = ['pending', 'succeeded', 'failed', 'missed']

export interface DeliveryFilters {
  status?: Delivery['status']
  /** The type of the event. The service refuses an unknown one. */
  type?: Delivery['eventType']
}

export function parseDeliveryFilters({ status, type }: Record<string, unknown>): DeliveryFilters {
  return {
    ...(STATUSES.includes(status as never) && { status: status as Delivery['status'] }),
    ...(typeof type === 'string' && /^[a-z]+\.[a-z]+$/.test(type) && { type: type as Delivery['eventType'] }),
  }
}
