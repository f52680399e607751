/** The only mapping of deliveries to proto. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { DeliverySchema } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import type { Delivery } from './entities.ts'

export type DeliveryFacts = Omit<Delivery, 'trigger' | 'dueAt' | 'example' | 'commitSeq'>

export function deliveryToProto(delivery: DeliveryFacts) {
  return create(DeliverySchema, {
    id: delivery.id,
    endpointId: delivery.endpointId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    nextAttemptAt: timestampOrNone(delivery.nextAttemptAt),
    lastStatusCode: delivery.lastStatusCode ?? undefined,
    lastError: delivery.lastError ?? undefined,
    createdAt: timestampFromDate(delivery.createdAt),
    deliveredAt: timestampOrNone(delivery.deliveredAt),
  })
}
