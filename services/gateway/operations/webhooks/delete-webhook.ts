import { operation } from '../../operation/operation.ts'

export const deleteWebhook = operation({
  operationId: 'deleteWebhook',
  method: 'delete',
  path: '/v1/webhooks/{id}',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  needsRecentSignIn: () => true,
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'Permanently deletes the endpoint with its secrets and its deliveries, also pending ones.',
  answer: { status: 204, description: 'The endpoint is deleted.' },
  handle:
    ({ endpoints }) =>
    async ({ tenant, ids }) => {
      await endpoints.deleteEndpoint({ ...tenant, endpointId: ids.id })
    },
})
