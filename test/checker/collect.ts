/** Reads a history from the stores of an installation. Called when the installation is idle; changes nothing. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { Pool } from 'pg'
import type { DatabaseRows, History, UnreadLog } from './history.ts'

export interface Stores {
  database: Pool
  /** The directory of the file store. */
  filesDirectory: string
}

/** What others recorded during the run. */
export type Recorded = Omit<History, 'database' | 'storedDocuments' | 'collectedAtMs'>

/** A run without agents, spoolers, faults or receivers passes only `settings` and `calls`. */
export async function collectHistory(
  { database, filesDirectory }: Stores,
  recorded: Partial<Recorded> & Pick<Recorded, 'settings' | 'calls'>,
): Promise<History> {
  const none = { spoolerCalls: [], faults: [], agents: [], endpoints: [], unexpectedEnds: [], leaks: [] }
  return {
    ...none,
    database: await readDatabase(database),
    storedDocuments: await readStoredDocuments(filesDirectory),
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

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`

/** The columns of an event in a log or the feed. */
const EVENT = `id, organization_id AS "organizationId", mode, type, body::json->'data'->>'id' AS "resourceId",
  (body::json->>'sequence')::int AS sequence, encode(sha256(convert_to(body, 'UTF8')), 'hex') AS "bodySha256",
  ${ms(`(body::json->>'timestamp')::timestamptz`)} AS "occurredAtMs"`

const QUERIES: Record<keyof DatabaseRows, string> = {
  jobs: `SELECT id, organization_id AS "organizationId", mode, printer_id AS "printerId", computer_id AS "computerId",
      title, qty, storage_key AS "storageKey", has_inline_document AS "hasInlineDocument", file_sha256 AS "fileSha256",
      reprint_of AS "reprintOf", batch_id AS "batchId", destination_id AS "destinationId", state,
      state_reasons AS "stateReasons", version, attempt, ${ms('created_at')} AS "createdAtMs",
      ${ms('expires_at')} AS "expiresAtMs", ${ms('not_before')} AS "notBeforeMs", ${ms('sent_at')} AS "sentAtMs",
      ${ms('received_at')} AS "receivedAtMs", ${ms('printing_at')} AS "printingAtMs",
      ${ms('finished_at')} AS "finishedAtMs"
    FROM jobs.job ORDER BY accepted_order`,
  printers: `SELECT id, organization_id AS "organizationId", mode, computer_id AS "computerId" FROM devices.printer`,
  documents: `SELECT job_id AS "jobId", encode(sha256(content), 'hex') AS sha256 FROM jobs.document`,
  events: `SELECT id, job_id AS "jobId", sequence, state, actor, ${ms('created_at')} AS "createdAtMs"
    FROM jobs.job_event ORDER BY job_id, sequence`,
  log: ['jobs', 'devices']
    .map((log) => `(SELECT '${log}' AS log, ${EVENT} FROM ${log}.event_log ORDER BY commit_seq, number)`)
    .join(' UNION ALL '),
  unread: `SELECT consumer, log, count(*)::int AS events
    FROM (SELECT 'jobs' AS log, commit_seq, number, mode, type FROM jobs.event_log
      UNION ALL SELECT 'devices', commit_seq, number, mode, type FROM devices.event_log) AS logged
    CROSS JOIN (VALUES ('webhooks'), ('usage')) AS asked (consumer)
    LEFT JOIN (SELECT 'webhooks' AS consumer, * FROM webhooks.log_cursor
      UNION ALL SELECT 'usage', * FROM usage.log_cursor) AS read USING (consumer, log)
    WHERE (consumer = 'webhooks' OR (log = 'jobs' AND mode = 'live' AND type = 'printjob.queued'))
      AND (last_commit_seq IS NULL OR (commit_seq, logged.number) > (last_commit_seq, read.number))
    GROUP BY consumer, log`,
  ledger: `SELECT event_id AS "eventId", job_id AS "jobId", organization_id AS "organizationId",
      ${ms('job_created_at')} AS "jobCreatedAtMs"
    FROM usage.ledger`,
  counts: `SELECT organization_id AS "organizationId", ${ms('period_start')} AS "periodStartMs", prints::float8
    FROM usage.period_count`,
  feed: `SELECT ${EVENT} FROM webhooks.event`,
  deliveries: `SELECT id, endpoint_id AS "endpointId", event_id AS "eventId", status,
      ${ms('next_attempt_at')} AS "nextAttemptAtMs", ${ms('delivered_at')} AS "deliveredAtMs"
    FROM webhooks.delivery`,
  attempts: `SELECT delivery_id AS "deliveryId", number, ${ms('at')} AS "atMs", duration_ms AS "durationMs",
      status_code AS "statusCode"
    FROM webhooks.attempt ORDER BY delivery_id, number`,
}

/** @returns the number of events that consumers have not read; 0 if they are idle. */
export async function countUnread(pool: Pool): Promise<number> {
  const { rows } = await pool.query<UnreadLog>(QUERIES.unread)
  return rows.reduce((sum, { events }) => sum + events, 0)
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
