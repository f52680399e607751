import { operation } from '../../operation.ts'

export const deleteWebhook = operation({
  operationId: 'deleteWebhook',
  method: 'delete',
  path: '/v1/webhooks/{id}',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'For good, with its secrets and its deliveries, also those that are pending.',
  answer: { status: 204, description: 'The endpoint is gone.' },
  errors: ['forbidden'],
  handle:
    ({ endpoints }) =>
    async ({ tenant, ids }) => {
      await endpoints.deleteEndpoint({ ...tenant, endpointId: ids.id })
    },
})
