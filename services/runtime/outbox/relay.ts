/**
 * The only code that publishes events. Reads what committed transactions left in the outbox and publishes it to JetStream,
 * the events of one key in their order: each partition has one owner among the replicas, by an advisory lock on a connection
 * of its own, and of one key only one event is in flight.
 *
 * Woken in process after a commit; polls for what a crash left; publishes again what no consumer confirmed.
 */
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { Client } from 'pg'
import { BY_INDEX, connectionSettings } from '../database/connection-settings.ts'
import type { Nats } from '../messaging/nats.ts'
import { createPublisher } from '../messaging/publisher.ts'
import { ensureStream, type StreamConfig } from '../messaging/streams.ts'
import type { ServiceProcess } from '../process.ts'
import { contextFrom, currentTraceparent, within } from '../telemetry/trace-context.ts'
import { atMost, createRest, ignoreAbort } from '../timers.ts'
import { PARTITIONS } from './table.ts'

const BATCH_ROWS = 500
const POLL_MS = 200
/** After a batch: one database transaction for many events costs less than one for each (DESIGN, "Speed"). */
const REST_MS = 20
/** How often unowned partitions are tried for and unconfirmed rows looked for. */
const HOUSEKEEPING_MS = 2_000
/** Each time twice as late up to this: a consumer that is away for an hour must not fill the stream with the same events. */
const REPUBLISH_FACTOR_MAX = 8
/** Its statements are small, and nobody else publishes while the relay waits for one. */
const STATEMENT_TIMEOUT_MS = 5_000
/**
 * A relay that says nothing for so long has vanished, or was stopped, behind something that keeps its connection: the server ends that,
 * and another relay takes its partitions. Longer than any batch is being published.
 */
const SILENT_MAX_MS = 20_000
/** For a connection whose other side may be gone. */
const END_WITHIN_MS = 1_000

const tracer = trace.getTracer('platen.outbox')

export interface OutboxRelayOptions {
  databaseUrl: string
  schema: string
  stream: StreamConfig
  /** An event that is still unconfirmed this long after its publication is published again, and then ever less often. */
  republishAfterMs: number
  /** How long the server keeps the session of a relay that says nothing; default: 20 s. */
  silentMaxMs?: number
}

interface Row {
  id: string
  event_id: string
  order_key: string
  subject: string
  /** JSON. */
  payload: string
  traceparent: string
  publications: number
}

export interface OutboxRelay {
  /** Call after the commit of a transaction that added rows. */
  wake(): void
}

export function startOutboxRelay(service: ServiceProcess, nats: Nats, options: OutboxRelayOptions): OutboxRelay {
  const { schema, stream } = options
  const publisher = createPublisher(service, nats.connection)
  const { wake, beforeLook, rest } = createRest(service.stopping)

  /** Works until the connection, and with it the ownership, is lost. */
  async function relay(database: Client): Promise<void> {
    const owned = new Set<number>()
    let housekeepingAt = Number.NEGATIVE_INFINITY
    while (!service.stopping.aborted) {
      if (performance.now() - housekeepingAt > HOUSEKEEPING_MS) {
        await takePartitions(database, schema, owned)
        await forgetPublications(database, schema, owned, options.republishAfterMs)
        housekeepingAt = performance.now()
      }
      beforeLook()
      const { rows } = await database.query<Row>({
        name: 'outbox batch',
        text: `SELECT id, event_id, order_key, subject, payload::text, traceparent, publications FROM ${schema}.outbox
               WHERE published_at IS NULL AND partition = ANY($1) ORDER BY id LIMIT ${BATCH_ROWS}`,
        values: [[...owned]],
      })
      if (rows.length === 0) {
        await rest(POLL_MS)
        continue
      }
      const published = await publishInOrder(rows)
      await markPublished(database, schema, published)
      // A server that came back without its store has no stream either.
      if (published.length < rows.length) await ensureStream(nats, stream)
      await sleep(published.length === rows.length ? REST_MS : POLL_MS, undefined, { signal: service.stopping }).catch(
        ignoreAbort,
      )
    }
  }

  /** @returns the rows that JetStream has; of a key whose event failed, none of the later ones. */
  async function publishInOrder(rows: Row[]): Promise<Row[]> {
    const byKey = Map.groupBy(rows, (row) => row.order_key)
    const published: Row[] = []
    await Promise.all(
      [...byKey.values()].map(async (sameKey) => {
        for (const row of sameKey) {
          if (!(await publish(row))) return
          published.push(row)
        }
      }),
    )
    return published
  }

  async function publish(row: Row): Promise<boolean> {
    const parent = contextFrom(row.traceparent)
    const attributes = {
      'messaging.system': 'nats',
      'messaging.operation.type': 'send',
      'messaging.destination.name': row.subject,
      'messaging.message.id': row.event_id,
    }
    const span = tracer.startSpan(`send ${row.subject}`, { kind: SpanKind.PRODUCER, attributes }, parent)
    const publishing = within(span, parent, async () => {
      const traceparent = currentTraceparent() || row.traceparent
      await publisher.publish({
        subject: row.subject,
        payload: row.payload,
        // A repetition needs an id of its own, or the server's duplicate window would swallow it.
        messageId: `${row.event_id}:${row.publications}`,
        headers: { 'platen-event-id': row.event_id, ...(traceparent && { traceparent }) },
      })
    })
    return await publishing.then(
      () => true,
      (error: unknown) => {
        service.log.debug({ err: error, subject: row.subject }, 'event not published, stays in the outbox')
        return false
      },
    )
  }

  const loop = async () => {
    while (!service.stopping.aborted) {
      const socket = new Socket()
      const database = new Client({
        connectionString: options.databaseUrl,
        ...connectionSettings(`platen-${schema}-relay`, {
          statementTimeoutMs: STATEMENT_TIMEOUT_MS,
          session: { ...BY_INDEX, idle_session_timeout: `${options.silentMaxMs ?? SILENT_MAX_MS}ms` },
        }),
        stream: () => socket,
      })
      database.on('error', (error) => service.log.warn({ err: error }, 'the outbox relay lost its connection'))
      try {
        await database.connect()
        await ensureStream(nats, stream)
        await relay(database)
      } catch (error) {
        if (!service.stopping.aborted) service.log.warn({ err: error }, 'outbox relay stopped, starting again')
      } finally {
        await atMost(END_WITHIN_MS, database.end()).catch((error: unknown) =>
          service.log.debug({ err: error }, 'relay connection already gone'),
        )
        socket.destroy()
      }
      await sleep(POLL_MS, undefined, { signal: service.stopping }).catch(ignoreAbort)
    }
  }
  // The relay polls on behalf of nobody: its statements belong to no request's trace.
  const ended = context.with(contextFrom(undefined), loop)
  service.onStop('outbox relay', () => ended)
  return { wake }
}

/** Takes every partition that nobody owns. Kept until the connection ends. */
async function takePartitions(database: Client, schema: string, owned: Set<number>): Promise<void> {
  const missing = Array.from({ length: PARTITIONS }, (_, partition) => partition).filter(
    (partition) => !owned.has(partition),
  )
  if (missing.length === 0) return
  const { rows } = await database.query<{ partition: number; taken: boolean }>(
    `SELECT partition, pg_try_advisory_lock(hashtext($1), partition) AS taken FROM unnest($2::int[]) AS partition`,
    [`platen outbox ${schema}`, missing],
  )
  for (const { partition, taken } of rows) if (taken) owned.add(partition)
}

/** Has what nobody confirmed published again. Passes over what is being confirmed just now. */
async function forgetPublications(database: Client, schema: string, owned: Set<number>, republishAfterMs: number) {
  await database.query(
    `UPDATE ${schema}.outbox SET published_at = NULL WHERE id IN (
       SELECT id FROM ${schema}.outbox
       WHERE published_at < now() - make_interval(secs => $1)
         AND published_at < now() - make_interval(secs => $1 * LEAST(power(2, publications - 1), ${REPUBLISH_FACTOR_MAX}))
         AND partition = ANY($2)
       FOR UPDATE SKIP LOCKED)`,
    [republishAfterMs / 1000, [...owned]],
  )
}

/**
 * What nobody waits for is done; the rest stays until it is confirmed, which may already have happened. Locks the rows in the order of
 * their ids, as confirmations do: the two wait for each other and never deadlock.
 */
async function markPublished(database: Client, schema: string, rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  await database.query({
    name: 'outbox published',
    text: `WITH published AS MATERIALIZED (
             SELECT id, awaiting FROM ${schema}.outbox WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE
           ), done AS (
             DELETE FROM ${schema}.outbox USING published WHERE outbox.id = published.id AND published.awaiting = '{}'
           )
           UPDATE ${schema}.outbox SET published_at = now(), publications = publications + 1
           FROM published WHERE outbox.id = published.id AND published.awaiting <> '{}'`,
    values: [rows.map(({ id }) => id)],
  })
}
