import type { ListEndpointsRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { endPage } from '@platen/runtime/paging.ts'
import { showEndpoints } from '../endpoint-to-proto.ts'
import { EndpointEntity } from '../entities.ts'
import type { Webhooks } from '../webhooks.ts'

export async function listEndpoints(webhooks: Webhooks, { organizationId, mode, page }: ListEndpointsRequest) {
  const where = { organizationId, mode, ...afterCursor('webhooks', page) }
  const found = await webhooks.orm.em.fork().find(EndpointEntity, where, pageOptions(page))
  const { rows, end } = endPage(page, found)
  return { endpoints: await showEndpoints(webhooks, rows), end }
}
