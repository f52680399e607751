import type { ListDeliveriesRequest } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { endPage, queryLimit, unpackPosition } from '@platen/runtime/paging.ts'
import { deliveryToProto } from '../delivery-to-proto.ts'
import { findEndpoint } from '../find-endpoint.ts'
import { readDeliveries } from '../list-deliveries.ts'
import type { Webhooks } from '../webhooks.ts'

/**
 * Lists deliveries of one endpoint that match all filters.
 *
 * @throws ApiError `not_found` if the endpoint does not exist; `invalid_request` if `after` is invalid.
 */
export async function listDeliveries(webhooks: Webhooks, request: ListDeliveriesRequest) {
  const { page } = request
  const after = page?.after && unpackPosition(page.after)
  await findEndpoint(webhooks.orm.em.fork(), request)
  const query = { after, ascending: page?.ascending ?? false, rows: queryLimit(page) }
  const found = await readDeliveries(webhooks, request, request, query)
  const { rows, end } = endPage(page, found.rows, found)
  return { deliveries: rows.map(deliveryToProto), end }
}
