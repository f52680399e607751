/** The rows of the webhooks schema, as the rare paths read them. Events, deliveries and attempts are written by SQL. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/**
 * A webhook endpoint. While it is enabled, it receives the subscribed events of its organization and mode.
 * Reference: docs/reference/webhooks.md#the-webhook-endpoint-object.
 */
export const EndpointEntity = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoint',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    mode: p.text(),
    url: p.text(),
    events: p.array(),
    description: p.text().nullable(),
    enabled: p.boolean(),
    disabledReason: p.text().$type<'user' | 'failures'>().nullable(),
    /** The first failed attempt since a success. */
    failingSince: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** Set by the database: see `runtime/database/commit-order.ts`. */
    listPlace: p.bigint().defaultRaw('webhooks.place_of(pg_current_xact_id())'),
  },
})

export type Endpoint = InferEntity<typeof EndpointEntity>

/** One of an endpoint's secrets. Those without an end, one for each endpoint, and those whose end is to come sign its deliveries. */
export const SecretEntity = defineEntity({
  name: 'Secret',
  tableName: 'secret',
  properties: {
    id: p.uuid().primary(),
    endpoint: () => p.manyToOne(EndpointEntity),
    /** The whole text, `whsec_…`, sealed for the endpoint's id. */
    sealed: p.blob(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
  },
})

/**
 * One event on its way to one endpoint.
 *
 * - `pending`: an attempt is under way or will be made.
 * - `succeeded`, `failed`: over.
 * - `missed`: the endpoint was disabled.
 */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'missed'

export const DeliveryEntity = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  properties: {
    id: p.uuid().primary(),
    /** There is no reference to it: the deliveries of an endpoint that was deleted go with their day. */
    endpointId: p.uuid(),
    eventId: p.uuid(),
    eventType: p.text(),
    status: p.text().$type<DeliveryStatus>(),
    trigger: p.text().$type<'scheduled' | 'replay' | 'test'>(),
    attempts: p.integer().default(0),
    /** What people see. */
    nextAttemptAt: p.datetime().nullable(),
    /** When the next attempt is published. */
    dueAt: p.datetime().nullable(),
    lastStatusCode: p.integer().nullable(),
    lastError: p.text().nullable(),
    /** The body of a test; that of all others is its event's. */
    example: p.text().nullable(),
    createdAt: p.datetime(),
    deliveredAt: p.datetime().nullable(),
    listPlace: p.bigint().defaultRaw('webhooks.place_of(pg_current_xact_id())'),
  },
})

export type Delivery = InferEntity<typeof DeliveryEntity>
