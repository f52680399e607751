/** Reads a history from the stores of an installation. Called when the installation is idle; changes nothing. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import {
  DEVICE_EVENTS_STREAM,
  DISPATCH_CONSUMER,
  JOBS_STREAM,
  USAGE_CONSUMER,
  WEBHOOKS_DEVICES_CONSUMER,
  WEBHOOKS_JOBS_CONSUMER,
} from '@platen/proto/subjects.ts'
import { Pool } from 'pg'
import type { DatabaseRows, History } from './history.ts'

export interface Stores {
  database: Pool
  nats: NatsConnection
  /** Of the file store. */
  filesDirectory: string
}

/** What others recorded during the run. */
export type Recorded = Omit<History, 'database' | 'storedDocuments' | 'consumerLag' | 'keptEventIds' | 'collectedAtMs'>

/** A run without agents, spoolers, faults or receivers passes only `settings` and `calls`. */
export async function collectHistory(
  { database, nats, filesDirectory }: Stores,
  recorded: Partial<Recorded> & Pick<Recorded, 'settings' | 'calls'>,
): Promise<History> {
  const none = {
    spoolerCalls: [],
    heardEvents: [],
    faults: [],
    agents: [],
    endpoints: [],
    unexpectedEnds: [],
    leaks: [],
  }
  return {
    ...none,
    database: await readDatabase(database),
    storedDocuments: await readStoredDocuments(filesDirectory),
    consumerLag: await readConsumerLag(nats),
    keptEventIds: await readKeptEventIds(nats),
    collectedAtMs: Date.now(),
    ...recorded,
  }
}

const STATEMENT_TIMEOUT_MS = 5_000

export function openDatabase(connectionString: string): Pool {
  const timeouts = { statement_timeout: STATEMENT_TIMEOUT_MS, connectionTimeoutMillis: STATEMENT_TIMEOUT_MS }
  const pool = new Pool({ connectionString, max: 4, ...timeouts })
  // A restart of PostgreSQL ends idle connections; the next query opens a new one.
  pool.on('error', () => undefined)
  return pool
}

/** @param url `nats://token@host:4222` */
export async function openNats(url: string, name: string): Promise<NatsConnection> {
  const { host, username } = new URL(url)
  const token = username ? decodeURIComponent(username) : undefined
  return await connect({ servers: host, token, name, maxReconnectAttempts: -1, reconnectTimeWait: 50 })
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`

const QUERIES: Record<keyof DatabaseRows, string> = {
  jobs: `SELECT id, organization_id AS "organizationId", mode, printer_id AS "printerId", computer_id AS "computerId", title, qty,
      storage_key AS "storageKey", file_sha256 AS "fileSha256", reprint_of AS "reprintOf", state,
      state_reasons AS "stateReasons", version, attempt, ${ms('created_at')} AS "createdAtMs",
      ${ms('expires_at')} AS "expiresAtMs", ${ms('sent_at')} AS "sentAtMs", ${ms('received_at')} AS "receivedAtMs",
      ${ms('printing_at')} AS "printingAtMs", ${ms('finished_at')} AS "finishedAtMs"
    FROM jobs.job ORDER BY accepted_order`,
  events: `SELECT id, job_id AS "jobId", sequence, state, actor, ${ms('created_at')} AS "createdAtMs"
    FROM jobs.job_event ORDER BY job_id, sequence`,
  outbox: `SELECT event_id AS "eventId", subject, awaiting, publications FROM jobs.outbox ORDER BY id`,
  ledger: `SELECT event_id AS "eventId", job_id AS "jobId", organization_id AS "organizationId",
      ${ms('job_created_at')} AS "jobCreatedAtMs"
    FROM usage.ledger`,
  counts: `SELECT organization_id AS "organizationId", ${ms('period_start')} AS "periodStartMs", prints::float8
    FROM usage.period_count`,
  feed: `SELECT id, organization_id AS "organizationId", mode, type, body::json->'data'->>'id' AS "resourceId",
      (body::json->>'sequence')::int AS sequence, encode(sha256(convert_to(body, 'UTF8')), 'hex') AS "bodySha256",
      ${ms(`(body::json->>'timestamp')::timestamptz`)} AS "occurredAtMs"
    FROM webhooks.event`,
  deliveries: `SELECT id, endpoint_id AS "endpointId", event_id AS "eventId", status,
      ${ms('next_attempt_at')} AS "nextAttemptAtMs", ${ms('delivered_at')} AS "deliveredAtMs"
    FROM webhooks.delivery`,
  attempts: `SELECT delivery_id AS "deliveryId", number, ${ms('at')} AS "atMs", duration_ms AS "durationMs",
      status_code AS "statusCode"
    FROM webhooks.attempt ORDER BY delivery_id, number`,
}

async function readDatabase(pool: Pool): Promise<DatabaseRows> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const rows: Record<string, unknown[]> = {}
    for (const [name, sql] of Object.entries(QUERIES)) rows[name] = (await client.query(sql)).rows
    await client.query('COMMIT')
    return rows as unknown as DatabaseRows
  } finally {
    client.release()
  }
}

/** Complete documents have their storage key as name, incomplete ones another name. */
async function readStoredDocuments(directory: string): Promise<string[]> {
  if (!existsSync(directory)) return []
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

const CONSUMERS = new Map([
  [JOBS_STREAM.name, [DISPATCH_CONSUMER, USAGE_CONSUMER, WEBHOOKS_JOBS_CONSUMER]],
  [DEVICE_EVENTS_STREAM.name, [WEBHOOKS_DEVICES_CONSUMER]],
])

/** @returns the number of unconfirmed events of each consumer; of a missing one all events of the stream, 1 at least. */
export async function readConsumerLag(nats: NatsConnection): Promise<Record<string, number>> {
  const manager = await jetstreamManager(nats, { checkAPI: false })
  const streams = await manager.streams.list().next()
  const lag: Record<string, number> = {}
  for (const [stream, consumers] of CONSUMERS) {
    const found = streams.find(({ config }) => config.name === stream)
    for (const name of consumers) lag[name] = Math.max(1, found?.state.messages ?? 1)
    if (!found) continue
    for (const { name, num_pending, num_ack_pending } of await manager.consumers.list(stream).next())
      lag[name] = num_pending + num_ack_pending
  }
  return lag
}

const READ_AT_ONCE = 100

async function readKeptEventIds(nats: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(nats, { checkAPI: false })
  const streams = await manager.streams.list().next()
  const { state } = streams.find(({ config }) => config.name === JOBS_STREAM.name) ?? {}
  const ids: string[] = []
  if (!state || state.messages === 0) return ids
  for (let from = state.first_seq; from <= state.last_seq; from += READ_AT_ONCE) {
    const sequences = Array.from({ length: Math.min(READ_AT_ONCE, state.last_seq - from + 1) }, (_, n) => from + n)
    const messages = await Promise.all(sequences.map((seq) => manager.streams.getMessage(JOBS_STREAM.name, { seq })))
    ids.push(...messages.map((message) => message?.header.get('platen-event-id') ?? ''))
  }
  return ids
}
