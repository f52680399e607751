/** Source: specification, "Webhooks"; decisions, "Webhooks and events". */
import type { Descriptions } from '../description.ts'
import { PAGE } from '../parameters.ts'

export const WEBHOOK_OPERATIONS: Descriptions = {
  createWebhook: {
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'From now on events of these types, of the mode of the key, are sent to the URL, signed by Standard Webhooks with the secret of the answer. There may be 20 endpoints in each mode.',
    body: 'NewWebhook',
    success: {
      status: 201,
      description: 'The endpoint with its secret, which is shown this once.',
      schema: 'WebhookEndpointWithSecret',
    },
    errors: ['forbidden', 'limit_reached', 'invalid_url'],
  },
  listWebhooks: {
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    description:
      'The endpoints of the organization and mode of the key, the newest first unless `dir` says otherwise. Without their secrets.',
    query: PAGE,
    success: { status: 200, description: 'A page of endpoints.', schema: 'WebhookEndpointPage' },
    errors: ['forbidden'],
  },
  getWebhook: {
    tag: 'Webhooks',
    summary: 'Read a webhook endpoint',
    description: 'The endpoint and whether its deliveries fail. Without its secret: rotate it when it is lost.',
    success: { status: 200, description: 'The endpoint.', schema: 'WebhookEndpoint' },
    errors: ['forbidden'],
  },
  updateWebhook: {
    tag: 'Webhooks',
    summary: 'Change a webhook endpoint',
    description:
      'Changes the fields that are sent and leaves the others; attempts that are still to come go to the new URL. When an endpoint is disabled its pending deliveries become `missed`; when it is enabled again, `disabledReason` and `failingSince` are null, and what was missed can be replayed.',
    body: 'WebhookChanges',
    success: { status: 200, description: 'The changed endpoint.', schema: 'WebhookEndpoint' },
    errors: ['forbidden', 'invalid_url'],
  },
  deleteWebhook: {
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'For good, with its secrets and its deliveries, also those that are pending.',
    success: { status: 204, description: 'The endpoint is gone.' },
    errors: ['forbidden'],
  },
  rotateWebhookSecret: {
    tag: 'Webhooks',
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'Makes a new secret. For `graceSeconds` deliveries are signed with both, so that receivers can change over without refusing any; with 0, when the secret got into wrong hands, with the new one alone at once. At most five secrets sign: a rotation beyond that ends the oldest.',
    body: 'WebhookSecretRotation',
    bodyMayBeMissing: true,
    success: {
      status: 200,
      description: 'The endpoint with its new secret, which is shown this once.',
      schema: 'WebhookEndpointWithSecret',
    },
    errors: ['forbidden'],
  },
  testWebhook: {
    tag: 'Webhooks',
    summary: 'Test a webhook endpoint',
    description:
      'Sends an example of an event, signed, attempted and listed like any other delivery, but of an event that is in no feed. The answer does not wait for the attempt: read the delivery to see what became of it.',
    body: 'WebhookTest',
    bodyMayBeMissing: true,
    success: { status: 202, description: 'The delivery of the example.', schema: 'WebhookDelivery' },
    errors: ['forbidden', 'endpoint_disabled'],
  },
}
