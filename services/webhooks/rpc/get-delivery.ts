import { AttemptSchema, type GetDeliveryRequest } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import { deliveryToProto } from '../delivery-to-proto.ts'
import { findDelivery, type LoggedAttempt } from '../find-delivery.ts'
import type { Webhooks } from '../webhooks.ts'

/** @throws ApiError `not_found`, also for a delivery of another endpoint, organization or mode. */
export async function getDelivery(webhooks: Webhooks, request: GetDeliveryRequest) {
  const found = await findDelivery(webhooks, request)
  return {
    delivery: deliveryToProto(found),
    payload: found.body ?? undefined,
    attempts: found.attemptLog.map(attemptToProto),
  }
}

const attemptToProto = ({ at, ...facts }: LoggedAttempt) => rowToMessage(AttemptSchema, { ...facts, at: new Date(at) })
