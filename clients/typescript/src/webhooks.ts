import type { Body, Query, Result } from './api.ts'
import type { Event, WebhookDelivery, WebhookEndpoint } from './gen/schema.ts'
import { type Http, path, type RequestOptions } from './http.ts'
import type { List } from './list.ts'
import { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'

export class Webhooks {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Creates an endpoint. New events of these types and the mode of the key are sent to the URL, signed by Standard
   * Webhooks with the secret in the response. Each mode can have 20 endpoints.
   *
   * Requires the scope `admin`.
   *
   * @operation createWebhook
   */
  async create(request: Body<'createWebhook'>, options?: RequestOptions): Promise<Result<'createWebhook'>> {
    return await this.#http.json<'createWebhook'>({ method: 'POST', path: '/v1/webhooks', body: request }, options)
  }

  /**
   * Lists the endpoints of the organization and mode of the key without their secrets, the newest first by default.
   *
   * Requires the scope `admin`.
   *
   * @operation listWebhooks
   */
  list(query?: Query<'listWebhooks'>, options?: RequestOptions): List<WebhookEndpoint> {
    return this.#http.list<'listWebhooks'>('/v1/webhooks', query, options)
  }

  /**
   * Returns the endpoint and whether its deliveries fail, without its secret. Rotate a lost secret.
   *
   * Requires the scope `admin`.
   *
   * @operation getWebhook
   */
  async get(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return await this.#http.json<'getWebhook'>({ method: 'GET', path: path`/v1/webhooks/${id}` }, options)
  }

  /**
   * Changes only the sent fields. Later attempts use the new URL. If an endpoint is disabled, its pending deliveries
   * become `missed`, and so do its events of the next 5 days. Later events have no deliveries until it is enabled
   * again. If it is enabled again, `disabledReason` and `failingSince` become null, and missed deliveries can be
   * replayed.
   *
   * Requires the scope `admin`.
   *
   * @operation updateWebhook
   */
  async update(id: string, changes: Body<'updateWebhook'>, options?: RequestOptions): Promise<WebhookEndpoint> {
    const call = { method: 'PATCH', path: path`/v1/webhooks/${id}`, body: changes }
    return await this.#http.json<'updateWebhook'>(call, options)
  }

  /**
   * Permanently deletes the endpoint with its secrets and its deliveries, also pending ones.
   *
   * Requires the scope `admin`.
   *
   * @operation deleteWebhook
   */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#http.json<'deleteWebhook'>({ method: 'DELETE', path: path`/v1/webhooks/${id}` }, options)
  }

  /**
   * Creates a new secret. For `graceSeconds` deliveries are signed with both secrets, so that receivers can switch
   * without a refused delivery. With 0, for a leaked secret, only the new one signs. At most five secrets are valid; a
   * further rotation ends the oldest.
   *
   * Requires the scope `admin`.
   *
   * @operation rotateWebhookSecret
   */
  async rotateSecret(
    id: string,
    request: Body<'rotateWebhookSecret'> = {},
    options?: RequestOptions,
  ): Promise<Result<'rotateWebhookSecret'>> {
    const call = { method: 'POST', path: path`/v1/webhooks/${id}/rotate-secret`, body: request }
    return await this.#http.json<'rotateWebhookSecret'>(call, options)
  }

  /**
   * Sends an example of an event, signed, attempted and listed like any other delivery. The feed does not contain its
   * event. The response does not wait for the attempt; read the delivery for its result.
   *
   * Requires the scope `admin`.
   *
   * @operation testWebhook
   */
  async test(id: string, request: Body<'testWebhook'> = {}, options?: RequestOptions): Promise<WebhookDelivery> {
    const call = { method: 'POST', path: path`/v1/webhooks/${id}/test`, body: request }
    return await this.#http.json<'testWebhook'>(call, options)
  }

  /**
   * Lists the deliveries of the endpoint, also pending ones and those that it missed while it was disabled, the newest
   * first by default. Deliveries are stored for 30 days. Several filters select the deliveries that match all of them.
   *
   * Requires the scope `admin`.
   *
   * @operation listWebhookDeliveries
   */
  deliveries(id: string, query?: Query<'listWebhookDeliveries'>, options?: RequestOptions): List<WebhookDelivery> {
    return this.#http.list<'listWebhookDeliveries'>(path`/v1/webhooks/${id}/deliveries`, query, options)
  }

  /**
   * Returns the delivery with its event, and each attempt with the response of the endpoint.
   *
   * Requires the scope `admin`.
   *
   * @operation getWebhookDelivery
   */
  async delivery(id: string, deliveryId: string, options?: RequestOptions): Promise<Result<'getWebhookDelivery'>> {
    const call = { method: 'GET', path: path`/v1/webhooks/${id}/deliveries/${deliveryId}` }
    return await this.#http.json<'getWebhookDelivery'>(call, options)
  }

  /**
   * Sends the same event again, at once and with all its retries, whatever the status of the delivery. The `webhook-id`
   * stays the same, so that receivers can detect a repetition. A delivery that waits for a retry is sent at once; one
   * whose attempt is already due does not change. Events are kept for 30 days; after that the response is `404`.
   *
   * Requires the scope `admin`.
   *
   * @operation replayWebhookDelivery
   */
  async replayDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery> {
    const call = { method: 'POST', path: path`/v1/webhooks/${id}/deliveries/${deliveryId}/replay` }
    return await this.#http.json<'replayWebhookDelivery'>(call, options)
  }

  /**
   * Replays, oldest first, the deliveries that were created at or after `since` and before `until`. The default of
   * `status` selects failed and missed ones. Repeat the request if its response is lost; deliveries that are already
   * pending do not change. `gaps` lists the times of the range whose events have no deliveries.
   *
   * Requires the scope `admin`.
   *
   * @operation replayWebhookDeliveries
   */
  async replay(
    id: string,
    range: Body<'replayWebhookDeliveries'>,
    options?: RequestOptions,
  ): Promise<Result<'replayWebhookDeliveries'>> {
    const call = { method: 'POST', path: path`/v1/webhooks/${id}/replay`, body: range }
    return await this.#http.json<'replayWebhookDeliveries'>(call, options)
  }

  /** Verifies a received webhook: see `verifyWebhook`, which needs no client. */
  async verify(body: string | Uint8Array<ArrayBuffer>, headers: WebhookHeaders, secret: string): Promise<Event> {
    return await verifyWebhook(body, headers, secret)
  }
}
