/** The only mapping of deliveries to proto. */
import { DeliverySchema } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { Delivery } from './entities.ts'

export interface DeliveryFacts extends Omit<Delivery, 'trigger' | 'dueAt' | 'example' | 'commitSeq'> {
  job: { id: string; title: string; printerId: string } | null
}

export const deliveryToProto = (delivery: DeliveryFacts) => rowToMessage(DeliverySchema, delivery)
