/** The only mapping of deliveries to proto. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { DeliverySchema } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import type { Delivery } from './entities.ts'

export interface DeliveryFacts extends Omit<Delivery, 'trigger' | 'dueAt' | 'example' | 'commitSeq'> {
  job: { id: string; title: string; printerId: string } | null
}

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
    job: delivery.job ?? undefined,
  })
}
