import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AttemptSchema, type GetDeliveryRequest } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
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

function attemptToProto({ at, statusCode, errorClass, response, ...facts }: LoggedAttempt) {
  return create(AttemptSchema, {
    ...facts,
    at: timestampFromDate(new Date(at)),
    statusCode: statusCode ?? undefined,
    errorClass: errorClass ?? undefined,
    response: response ?? undefined,
  })
}
