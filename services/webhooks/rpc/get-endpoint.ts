import type { GetEndpointRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { showEndpoint } from '../endpoint-to-proto.ts'
import { findEndpoint } from '../find-endpoint.ts'
import type { Webhooks } from '../webhooks.ts'

/** @throws ApiError `not_found`, also for an endpoint of another organization or mode. */
export async function getEndpoint(webhooks: Webhooks, request: GetEndpointRequest) {
  const endpoint = await findEndpoint(webhooks.orm.em.fork(), request)
  return { endpoint: await showEndpoint(webhooks, endpoint) }
}
