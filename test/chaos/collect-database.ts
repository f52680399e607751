/** The rows of a run, as one moment shows them. */
import type { Pool } from 'pg'
import type {
  AttemptRow,
  CountRow,
  DeliveryRow,
  FeedRow,
  FetchRow,
  History,
  JobEventRow,
  JobRow,
  LedgerRow,
  OutboxRow,
} from './history.ts'

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`

const JOBS = `SELECT id, organization_id AS "organizationId", mode, printer_id AS "printerId", computer_id AS "computerId", title, qty,
    storage_key AS "storageKey", file_sha256 AS "fileSha256", reprint_of AS "reprintOf", state, state_reasons AS "stateReasons", version, attempt,
    ${ms('created_at')} AS "createdAtMs", ${ms('expires_at')} AS "expiresAtMs", ${ms('sent_at')} AS "sentAtMs",
    ${ms('received_at')} AS "receivedAtMs", ${ms('printing_at')} AS "printingAtMs", ${ms('finished_at')} AS "finishedAtMs"
  FROM jobs.job ORDER BY accepted_order`

const EVENTS = `SELECT id, job_id AS "jobId", sequence, state, actor, message, ${ms('created_at')} AS "createdAtMs"
  FROM jobs.job_event ORDER BY job_id, sequence`

const OUTBOX = `SELECT event_id AS "eventId", payload->>'jobId' AS "jobId", subject, awaiting, publications,
    ${ms('published_at')} AS "publishedAtMs"
  FROM jobs.outbox ORDER BY id`

const FETCHES = `SELECT job_id AS "jobId", attempt FROM jobs.document_fetch ORDER BY created_at`

const LEDGER = `SELECT event_id AS "eventId", job_id AS "jobId", organization_id AS "organizationId",
    ${ms('job_created_at')} AS "jobCreatedAtMs"
  FROM usage.ledger ORDER BY event_id`

const COUNTS = `SELECT organization_id AS "organizationId", ${ms('period_start')} AS "periodStartMs", prints
  FROM usage.period_count ORDER BY organization_id, period_start`

const FEED = `SELECT id, organization_id AS "organizationId", mode, type, body::json->'data'->>'id' AS "resourceId",
    (body::json->>'sequence')::int AS sequence, encode(sha256(convert_to(body, 'UTF8')), 'hex') AS "bodySha256",
    ${ms(`(body::json->>'timestamp')::timestamptz`)} AS "occurredAtMs"
  FROM webhooks.event ORDER BY list_place, id`

const DELIVERIES = `SELECT id, endpoint_id AS "endpointId", event_id AS "eventId", status,
    ${ms('next_attempt_at')} AS "nextAttemptAtMs", ${ms('delivered_at')} AS "deliveredAtMs"
  FROM webhooks.delivery ORDER BY id`

const ATTEMPTS = `SELECT delivery_id AS "deliveryId", number, ${ms('at')} AS "atMs", duration_ms AS "durationMs",
    status_code AS "statusCode", error_class AS "errorClass"
  FROM webhooks.attempt ORDER BY delivery_id, number`

export async function readDatabase(pool: Pool): Promise<History['database']> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows: jobs } = await client.query<JobRow>(JOBS)
    const { rows: events } = await client.query<JobEventRow>(EVENTS)
    const { rows: outbox } = await client.query<OutboxRow>(OUTBOX)
    const { rows: fetches } = await client.query<FetchRow>(FETCHES)
    const { rows: ledger } = await client.query<LedgerRow>(LEDGER)
    const { rows: counts } = await client.query<CountRow>(COUNTS)
    const { rows: feed } = await client.query<FeedRow>(FEED)
    const { rows: deliveries } = await client.query<DeliveryRow>(DELIVERIES)
    const { rows: attempts } = await client.query<AttemptRow>(ATTEMPTS)
    await client.query('COMMIT')
    return { jobs, events, outbox, fetches, ledger, counts, feed, deliveries, attempts }
  } finally {
    client.release()
  }
}

/** Every row of every table of Platen, as text. */
export async function* readTablesAsText(pool: Pool): AsyncGenerator<{ table: string; text: string }> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  )
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`SELECT row::text AS text FROM ${name} AS row`)
    yield { table: name, text: rows.map(({ text }) => text).join('\n') }
  }
}
