import type { ListResourceDeliveriesRequest } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { endPage, queryLimit, unpackPosition } from '@platen/runtime/paging.ts'
import { deliveryToProto } from '../delivery-to-proto.ts'
import { readResourceDeliveries } from '../list-resource-deliveries.ts'
import type { Webhooks } from '../webhooks.ts'

/**
 * Lists the deliveries of the events of a job, computer or printer. A missing resource has none.
 *
 * @throws ApiError `invalid_request` if `after` is invalid.
 */
export async function listResourceDeliveries(webhooks: Webhooks, request: ListResourceDeliveriesRequest) {
  const { page } = request
  const after = page?.after && unpackPosition(page.after)
  const query = { after, ascending: page?.ascending ?? false, rows: queryLimit(page) }
  const { rows, end } = endPage(page, await readResourceDeliveries(webhooks, request, query))
  return { deliveries: rows.map(deliveryToProto), end }
}
