import { Webhooks as Operations } from './gen/operations.ts'
import type { Event } from './gen/schema.ts'
import { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'

export class Webhooks extends Operations {
  /** Verifies a received webhook: see `verifyWebhook`, which needs no client. */
  async verify(body: string | Uint8Array, headers: WebhookHeaders, secret: string): Promise<Event> {
    return await verifyWebhook(body, headers, secret)
  }
}
