import type { ServiceImpl } from '@connectrpc/connect'
import type { DeliveriesService } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import type { Webhooks } from '../webhooks.ts'
import { countDeliveries } from './count-deliveries.ts'
import { getDelivery } from './get-delivery.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listResourceDeliveries } from './list-resource-deliveries.ts'
import { replayDeliveries } from './replay-deliveries.ts'
import { replayDelivery } from './replay-delivery.ts'

export function deliveriesService(webhooks: Webhooks): ServiceImpl<typeof DeliveriesService> {
  return {
    listDeliveries: (request) => listDeliveries(webhooks, request),
    listResourceDeliveries: (request) => listResourceDeliveries(webhooks, request),
    countDeliveries: (request) => countDeliveries(webhooks, request),
    getDelivery: (request) => getDelivery(webhooks, request),
    replayDelivery: (request) => replayDelivery(webhooks, request),
    replayDeliveries: (request) => replayDeliveries(webhooks, request),
  }
}
