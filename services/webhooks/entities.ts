/** Entities for infrequent operations. Frequent operations read and write events, deliveries and attempts by SQL. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { DELIVERY_STATUS } from '@platen/resources/webhook-delivery-schema.ts'

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
    disabledAt: p.datetime().nullable(),
    /** The end of the first failed attempt after the last success. */
    failingSince: p.datetime().nullable(),
    /** The status of the last attempt. Null after a success. */
    lastStatusCode: p.integer().nullable(),
    lastError: p.text().nullable(),
    createdAt: p.datetime(),
    /** Set by the database. See `runtime/database/commit-seq.ts`. */
    commitSeq: p.bigint().defaultRaw('webhooks.to_commit_seq(pg_current_xact_id())'),
  },
})

export type Endpoint = InferEntity<typeof EndpointEntity>

/** A secret of an endpoint. The current one has no `expiresAt`. The others sign deliveries until they expire. */
export const SecretEntity = defineEntity({
  name: 'Secret',
  tableName: 'secret',
  properties: {
    id: p.uuid().primary(),
    endpoint: () => p.manyToOne(EndpointEntity),
    /** The whole text, `whsec_…`, encrypted for the endpoint's id. */
    encrypted: p.blob(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
  },
})

/**
 * - `pending`: an attempt is in progress or will be made.
 * - `succeeded`, `failed`: final, unless replayed.
 * - `missed`: the endpoint was disabled.
 */
export type DeliveryStatus = (typeof DELIVERY_STATUS.options)[number]

export type DeliveryTrigger = 'scheduled' | 'replay' | 'test'

/** The delivery of one event to one endpoint. */
export const DeliveryEntity = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  properties: {
    id: p.uuid().primary(),
    /** It is no foreign key, because deliveries of a deleted endpoint remain until their partition is dropped. */
    endpointId: p.uuid(),
    eventId: p.uuid(),
    eventType: p.text(),
    status: p.text().$type<DeliveryStatus>(),
    trigger: p.text().$type<DeliveryTrigger>(),
    attempts: p.integer().default(0),
    /** The time that the API shows. */
    nextAttemptAt: p.datetime().nullable(),
    /** When the next attempt is published. */
    dueAt: p.datetime().nullable(),
    lastStatusCode: p.integer().nullable(),
    lastError: p.text().nullable(),
    /** The body of a test. Other deliveries have the body of their event. */
    example: p.text().nullable(),
    createdAt: p.datetime(),
    deliveredAt: p.datetime().nullable(),
    commitSeq: p.bigint().defaultRaw('webhooks.to_commit_seq(pg_current_xact_id())'),
  },
})

/** What a member wants to be notified about: `alerts/incident.ts`. */
export const AlertRuleEntity = defineEntity({
  name: 'AlertRule',
  tableName: 'alert_rule',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    mode: p.text(),
    userId: p.uuid(),
    kind: p.text(),
    computerId: p.uuid().nullable(),
    printerId: p.uuid().nullable(),
    afterMinutes: p.integer(),
    createdAt: p.datetime(),
  },
})

/** A mail about incidents. A sent one has no text and no `dueAt`. It stays for the limits of an hour. */
export const AlertMailEntity = defineEntity({
  name: 'AlertMail',
  tableName: 'alert_mail',
  properties: {
    id: p.uuid().primary(),
    subject: p.text(),
    text: p.text(),
    createdAt: p.datetime(),
    dueAt: p.datetime().nullable(),
  },
})

export type AlertRule = InferEntity<typeof AlertRuleEntity>

export type Delivery = InferEntity<typeof DeliveryEntity>
