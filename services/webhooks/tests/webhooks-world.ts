/** An organization's endpoints in the world, the deliveries to them, and receivers. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type LogEvent, LogEventSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import type { EventType } from '@platen/resources/event-types.ts'
import type { ApiError } from '@platen/runtime/errors.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { newMove } from '@platen/test/harness/new-move.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { type Script, startWebhookReceiver } from '@platen/test/harness/webhook-receiver.ts'
import { getWorld, type World } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished } from 'vitest'
import { recordEvents } from '../events/record-events.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** No server listens there. */
export const NOWHERE = 'http://127.0.0.1:8/hook'

export interface Tenant {
  organizationId: string
  mode: string
}

export interface AddedDeliveries {
  count?: number
  status?: 'pending' | 'succeeded' | 'failed' | 'missed'
  eventType?: string
  createdAt?: Date
  nextAttemptAt?: Date
  /** The lease of a delivery whose attempt is in progress. */
  leasedUntil?: Date
  /** False: as if its partition had been dropped. */
  withEvent?: boolean
  body?: string
  /** The body of a test, which has no event. */
  example?: string
}

export type TestWebhooks = Awaited<ReturnType<typeof startTestWebhooks>>

/** @param own a world of the test; default: the worker's. */
export async function startTestWebhooks(own?: World) {
  const world = own ?? (await getWorld())
  const { clock, query, endpoints } = world
  const { webhooks } = world.contexts
  const { organization } = await world.accounts.createOrganization({ name: 'Corner shop' })
  const tenant: Tenant = { organizationId: organization?.id ?? '', mode: 'test' }
  const stranger: Tenant = { organizationId: uuidv7(), mode: 'test' }
  if (!own)
    // No later test of the worker makes an attempt for this one.
    onTestFinished(async () => {
      await query(
        `WITH deleted AS (DELETE FROM webhooks.endpoint WHERE organization_id = ANY($1) RETURNING id)
         UPDATE webhooks.delivery SET status = 'missed', next_attempt_at = NULL, due_at = NULL
         FROM deleted WHERE endpoint_id = deleted.id AND status = 'pending'`,
        [[tenant.organizationId, stranger.organizationId]],
      )
    })

  const readDelivery = async (id: string) => {
    const [row] = await query('SELECT * FROM webhooks.delivery WHERE id = $1', [id])
    if (!row) throw new Error('the delivery is gone')
    return row
  }
  const testing = {
    world,
    webhooks,
    clock,
    query,
    tenant,
    live: { ...tenant, mode: 'live' },
    stranger,
    endpoints,
    deliveries: world.deliveries,
    events: world.events,
    readDelivery,
    /** Until lists in ascending order show all that was written. */
    untilVisible: () => untilVisible(world.pool),
    async makeEndpoint(facts: object = {}, of = tenant) {
      const url = of.mode === 'live' ? NOWHERE.replace('http', 'https') : NOWHERE
      const { endpoint, secret } = await endpoints.createEndpoint({ ...of, url, events: ['printjob.done'], ...facts })
      if (!endpoint) throw new Error('no endpoint')
      return { endpoint, secret, id: endpoint.id, key: { ...of, endpointId: endpoint.id } }
    },
    /** A server, and an endpoint with its URL. */
    async startDelivering(script?: Script) {
      const receiver = await startWebhookReceiver({ script })
      onTestFinished(() => receiver.stop())
      // A path that no other receiver has: ports are used again.
      const path = `/${uuidv7()}?token=1`
      const url = receiver.url + path
      const made = await testing.makeEndpoint({ url })
      return { ...made, url, receiver, received: () => receiver.at(path) }
    },
    /** It adds deliveries as the service does for events. @returns their ids, oldest first. */
    async addDeliveries(endpointId: string, facts: AddedDeliveries = {}): Promise<string[]> {
      const { count = 1, status = 'succeeded', eventType = 'printjob.done', withEvent = true, example, body } = facts
      const { createdAt = clock.now(), nextAttemptAt = createdAt, leasedUntil = nextAttemptAt } = facts
      const rows = await query<{ id: string }>(
        `WITH fresh AS MATERIALIZED (
           SELECT uuidv7() AS id, uuidv7() AS event_id FROM generate_series(1, $2)
         ), event AS (
           INSERT INTO webhooks.event (id, organization_id, mode, type, body, created_at)
           SELECT event_id, organization_id, mode, $4,
             coalesce($10, '{"id":"' || event_id || '","type":"' || $4 || '"}'), $5
           FROM fresh, webhooks.endpoint WHERE endpoint.id = $1 AND $7 AND $8::text IS NULL
         )
         INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, next_attempt_at, due_at, example,
           created_at, delivered_at, attempts)
         SELECT id, $1, event_id, $4, $3, CASE $3 WHEN 'pending' THEN $6::timestamptz END,
           CASE $3 WHEN 'pending' THEN $9::timestamptz END, $8, $5::timestamptz,
           CASE $3 WHEN 'succeeded' THEN $5::timestamptz END, CASE WHEN $3 IN ('succeeded', 'failed') THEN 1 ELSE 0 END
         FROM fresh RETURNING id`,
        [endpointId, count, status, eventType, createdAt, nextAttemptAt, withEvent, example, leasedUntil, body],
      )
      return rows.map(({ id }) => id)
    },
    /** Adds due deliveries. */
    async deliver(endpointId: string, facts: AddedDeliveries = {}): Promise<[string, ...string[]]> {
      const ids = await testing.addDeliveries(endpointId, { ...facts, status: 'pending' })
      webhooks.deliveriesAdded([endpointId])
      return ids as [string, ...string[]]
    },
    waitForDelivery: (id: string, facts: object = {}) =>
      waitFor(async () => {
        const row = await readDelivery(id)
        expect(row).toMatchObject(facts)
        return row
      }),
    readAttempts: (id: string) => query('SELECT * FROM webhooks.attempt WHERE delivery_id = $1 ORDER BY number', [id]),
    readStatuses: async (endpointId: string): Promise<string[]> =>
      (await query('SELECT status FROM webhooks.delivery WHERE endpoint_id = $1 ORDER BY 1', [endpointId])).map(
        ({ status }) => status,
      ),
    readHealth: async (endpointId: string) =>
      (
        await query('SELECT enabled, disabled_reason, failing_since FROM webhooks.endpoint WHERE id = $1', [endpointId])
      )[0],
    /** Runs `sql` in a transaction that stays open. @returns its commit. */
    hold: (sql: string, values: unknown[] = []) => holdTransaction(world.pool, (client) => client.query(sql, values)),
  }
  return testing
}

export function newEvent({ organizationId, mode }: Tenant, type: EventType = 'printjob.done', id = uuidv7()): LogEvent {
  const event = { ...exampleEvent(type, mode as 'live' | 'test'), id, mode }
  const occurredAt = timestampFromDate(new Date(event.timestamp))
  return create(LogEventSchema, { organizationId, mode, id, type, occurredAt, body: JSON.stringify(event) })
}

/** Records events as if a log of their own had them. */
export const record = async (webhooks: Parameters<typeof recordEvents>[0], ...events: LogEvent[]) =>
  await recordEvents(webhooks, events, await newMove(webhooks.pool, 'webhooks'))

/** @returns `ok` or the error's code. */
export const getCode = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error as ApiError).code,
  )
