/** The only mapping of endpoints to proto. It omits the secrets. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { EndpointSchema } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import type { Endpoint } from './entities.ts'

export function endpointToProto(endpoint: Endpoint) {
  return create(EndpointSchema, {
    id: endpoint.id,
    organizationId: endpoint.organizationId,
    mode: endpoint.mode,
    url: endpoint.url,
    events: endpoint.events,
    description: endpoint.description ?? undefined,
    enabled: endpoint.enabled,
    disabledReason: endpoint.disabledReason ?? undefined,
    failingSince: timestampOrNone(endpoint.failingSince),
    createdAt: timestampFromDate(endpoint.createdAt),
  })
}
