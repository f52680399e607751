import type { DeleteEndpointRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { PENDING_AT_ONCE } from '../disable-endpoint.ts'
import { EndpointEntity } from '../entities.ts'
import { noSuchEndpoint } from '../find-endpoint.ts'
import type { Webhooks } from '../webhooks.ts'

/** Waits for no delivery whose attempt is under way: that one, and any above the limit, is dropped when it is next due. */
const DROP_PENDING = `
WITH pending AS (
  SELECT id FROM webhooks.delivery WHERE endpoint_id = ? AND status = 'pending' LIMIT ? FOR UPDATE SKIP LOCKED
)
DELETE FROM webhooks.delivery USING pending WHERE delivery.id = pending.id`

/**
 * With its secrets and its pending deliveries. The other deliveries, which nobody can ask for any more, go with their day.
 *
 * @throws ApiError `not_found`, also the second time.
 */
export async function deleteEndpoint(webhooks: Webhooks, { organizationId, mode, endpointId }: DeleteEndpointRequest) {
  await webhooks.orm.em.fork().transactional(async (em) => {
    const deleted = await em.nativeDelete(EndpointEntity, { id: endpointId, organizationId, mode })
    if (deleted === 0) throw noSuchEndpoint()
    await em.execute(DROP_PENDING, [endpointId, PENDING_AT_ONCE])
  })
  return {}
}
