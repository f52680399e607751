import type { ListDeliveriesRequest } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { endPage, rowsAsked, unpackPlace } from '@platen/runtime/paging.ts'
import { deliveryToProto } from '../delivery-to-proto.ts'
import { findEndpoint } from '../find-endpoint.ts'
import { readDeliveries } from '../list-deliveries.ts'
import type { Webhooks } from '../webhooks.ts'

/**
 * Of one endpoint. Filters hold together.
 *
 * @throws ApiError `not_found` when there is no such endpoint; `invalid_request` for an `after` that is no place.
 */
export async function listDeliveries(webhooks: Webhooks, request: ListDeliveriesRequest) {
  const { page } = request
  const after = page?.after && unpackPlace(page.after)
  await findEndpoint(webhooks.orm.em.fork(), request)
  const asked = { after, ascending: page?.ascending ?? false, rows: rowsAsked(page) }
  const { rows, end } = endPage(page, await readDeliveries(webhooks, request, request, asked))
  return { deliveries: rows.map(deliveryToProto), end }
}
