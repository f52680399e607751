import type { ReplayDeliveryRequest } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { type DeliveryFacts, deliveryToProto } from '../delivery-to-proto.ts'
import { type DeliveryKey, findDelivery } from '../find-delivery.ts'
import { endpointDisabled } from '../find-endpoint.ts'
import { deliveryColumns } from '../list-deliveries.ts'
import { canReplay, ENABLED_ENDPOINT, setReplayed } from '../replay.ts'
import type { Webhooks } from '../webhooks.ts'

const replayStatement = (columns: string) => `
WITH enabled AS (${ENABLED_ENDPOINT})
UPDATE webhooks.delivery SET ${setReplayed('$5::timestamptz')} FROM enabled
WHERE delivery.id = $4 AND endpoint_id = enabled.id AND ${canReplay('$5::timestamptz')}
RETURNING ${columns}`

/**
 * Makes the delivery pending and due immediately, in any status. A delivery that is already due is unchanged.
 *
 * @throws ApiError `not_found`, also after the retention time of its event; `endpoint_disabled`.
 */
export async function replayDelivery(webhooks: Webhooks, request: ReplayDeliveryRequest) {
  const { endpointId, organizationId, mode, deliveryId }: DeliveryKey = request
  const values = [endpointId, organizationId, mode, deliveryId, webhooks.clock.now()]
  const { rows } = await webhooks.pool.query<DeliveryFacts>(replayStatement(deliveryColumns(webhooks.orm)), values)
  const [delivery] = rows
  if (delivery) webhooks.deliveriesAdded([endpointId])
  return { delivery: deliveryToProto(delivery ?? (await findUnchanged(webhooks, request))) }
}

/** @throws ApiError with the reason why the delivery was not replayed, unless it is already due. */
async function findUnchanged(webhooks: Webhooks, key: DeliveryKey): Promise<DeliveryFacts> {
  const found = await findDelivery(webhooks, key)
  if (!found.endpointEnabled) throw endpointDisabled()
  if (found.body === null)
    throw new ApiError('not_found', 'This delivery cannot be replayed because its event is no longer kept.')
  return found
}
