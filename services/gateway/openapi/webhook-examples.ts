/** Examples of the schemas of webhooks. */
import { exampleEvent } from '@platen/resources/event-examples.ts'

const ENDPOINT_ID = '019a5c30-4d5e-7f60-8a7b-1c2d3e4f5a08'

const wanted = {
  url: 'https://erp.example.com/hooks/platen',
  events: ['printjob.done', 'printjob.error'],
  description: 'Orders in the ERP',
}

const webhookEndpoint = {
  id: ENDPOINT_ID,
  ...wanted,
  enabled: true,
  disabledReason: null,
  failingSince: null,
  mode: 'live',
  createdAt: '2026-03-02T09:00:00.000Z',
}

/** The secret of Standard Webhooks' own examples. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const webhookDelivery = {
  id: '019a5c31-5e6f-7081-9b8c-2d3e4f5a6b09',
  webhookId: ENDPOINT_ID,
  eventId: '019a5c31-5e6e-7170-8a9b-3e4f5a6b7c0a',
  eventType: 'printjob.done',
  status: 'pending',
  attempts: 0,
  nextAttemptAt: '2026-03-02T09:30:07.010Z',
  lastStatusCode: null,
  lastError: null,
  createdAt: '2026-03-02T09:30:07.010Z',
  deliveredAt: null,
}

/** By the name of the schema in `schemas.ts`. */
export const WEBHOOK_EXAMPLES: Record<string, object> = {
  NewWebhook: wanted,
  WebhookChanges: { events: ['printjob.done'], enabled: true },
  WebhookSecretRotation: { graceSeconds: 86_400 },
  WebhookTest: { type: 'printjob.done' },
  WebhookEndpoint: webhookEndpoint,
  WebhookEndpointWithSecret: { ...webhookEndpoint, secret },
  WebhookEndpointPage: { data: [webhookEndpoint], hasMore: false, nextCursor: 'AZpcMH1eD2C2E2exQ8cK7g' },
  WebhookDelivery: webhookDelivery,
  WebhookDeliveryPage: { data: [webhookDelivery], hasMore: false, nextCursor: 'AZpcMV5vcIGbjC0-T1prCQ' },
  WebhookDeliveryDetail: {
    ...webhookDelivery,
    attempts: 1,
    nextAttemptAt: '2026-03-02T09:30:12.310Z',
    lastStatusCode: 503,
    lastError: 'status',
    payload: exampleEvent('printjob.done', 'live'),
    attemptLog: [
      {
        number: 1,
        trigger: 'scheduled',
        at: '2026-03-02T09:30:07.021Z',
        durationMs: 84,
        statusCode: 503,
        errorClass: 'status',
        response: 'down for maintenance',
      },
    ],
  },
  WebhookReplayRange: {
    since: '2026-03-02T09:00:00.000Z',
    until: '2026-03-02T10:00:00.000Z',
    status: ['failed', 'missed'],
  },
  WebhookReplay: { replayed: 42 },
}
