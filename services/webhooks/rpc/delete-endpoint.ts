import type { DeleteEndpointRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { LOCK_PENDING } from '../disable-endpoint.ts'
import { EndpointEntity } from '../entities.ts'
import { noSuchEndpoint } from '../find-endpoint.ts'
import type { Webhooks } from '../webhooks.ts'

/** Deliveries in progress or above the limit are deleted when they are next due. */
const DELETE_PENDING = `
WITH pending AS (${LOCK_PENDING})
DELETE FROM webhooks.delivery USING pending WHERE delivery.id = pending.id`

/**
 * Deletes the endpoint, its secrets and its pending deliveries. The other deliveries are dropped with their partition.
 *
 * @throws ApiError `not_found`, also if the endpoint was deleted before.
 */
export async function deleteEndpoint(webhooks: Webhooks, { organizationId, mode, endpointId }: DeleteEndpointRequest) {
  await webhooks.orm.em.fork().transactional(async (em) => {
    const deleted = await em.nativeDelete(EndpointEntity, { id: endpointId, organizationId, mode })
    if (deleted === 0) throw noSuchEndpoint()
    await em.execute(DELETE_PENDING, [endpointId])
  })
  return {}
}
