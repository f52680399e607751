import type { ServiceImpl } from '@connectrpc/connect'
import type { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import type { Webhooks } from '../webhooks.ts'
import { createEndpoint } from './create-endpoint.ts'
import { deleteEndpoint } from './delete-endpoint.ts'
import { deleteOrganization } from './delete-organization.ts'
import { getEndpoint } from './get-endpoint.ts'
import { listEndpoints } from './list-endpoints.ts'
import { reencryptSecrets } from './reencrypt-secrets.ts'
import { rotateSecret } from './rotate-secret.ts'
import { testEndpoint } from './test-endpoint.ts'
import { updateEndpoint } from './update-endpoint.ts'

export function endpointsService(webhooks: Webhooks): ServiceImpl<typeof EndpointsService> {
  return {
    createEndpoint: (request) => createEndpoint(webhooks, request),
    getEndpoint: (request) => getEndpoint(webhooks, request),
    listEndpoints: (request) => listEndpoints(webhooks, request),
    updateEndpoint: (request) => updateEndpoint(webhooks, request),
    deleteEndpoint: (request) => deleteEndpoint(webhooks, request),
    deleteOrganization: (request) => deleteOrganization(webhooks, request),
    rotateSecret: (request) => rotateSecret(webhooks, request),
    reencryptSecrets: (request) => reencryptSecrets(webhooks, request),
    testEndpoint: (request) => testEndpoint(webhooks, request),
  }
}
