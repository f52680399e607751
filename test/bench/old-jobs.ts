/** Fills an installation with ended jobs of the last year, written as the services would have stored them. */

import { type PartitionedTable, sweepPartitions } from '@platen/runtime/database/partitions.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { eventLogPartitions } from '@platen/runtime/event-log/table.ts'
import { Client } from 'pg'
import type { System } from '../harness/system.ts'
import { createTestProcess } from '../harness/test-process.ts'

const DAY_MS = 24 * 60 * 60_000
/** Less than `PLATEN_JOB_RETENTION_SECONDS`. */
const OLDEST_DAYS = 364
const BATCH = 50_000
/** The default of `PLATEN_EVENT_RETENTION_SECONDS`. */
const FEED: PartitionedTable = { name: 'event', key: 'id', keptMs: 30 * DAY_MS }
/** `sweepPartitions` creates the partitions of so many days. */
const SWEPT_DAYS = 4

const COPIED = `organization_id, mode, printer_id, computer_id, title, content_type, source, qty, options, expire_after_seconds, has_inline_document,
  file_size_bytes, file_sha256, state, final_state, version, attempt, traceparent, created_by`
const TIMES = ['expires_at', 'created_at', 'sent_at', 'received_at', 'printing_at', 'finished_at']
const keptInterval = ({ keptMs }: PartitionedTable) => `interval '${keptMs / DAY_MS} days'`

/** One ended job of each organization, with its events. In temporary tables, because the tables grow. */
const MODELS = [
  `CREATE TEMP TABLE model AS SELECT *, row_number() OVER () - 1 AS nth FROM
     (
       SELECT DISTINCT ON (organization_id) * FROM jobs.job WHERE final_state = 'done' ORDER BY organization_id, id
     ) AS done`,
  `CREATE TEMP TABLE model_event AS SELECT job_event.*, type, body FROM jobs.job_event
     JOIN model ON model.id = job_id JOIN webhooks.event ON event.id = job_event.id`,
  'ANALYZE model, model_event',
]

/** The jobs `$1` to `$2` of `$3`, the oldest first. Their `commit_seq` is below that of all jobs of the load. */
const FILL = `
WITH copy AS MATERIALIZED (
  SELECT model.*, age, uuidv7(-age) AS copy_id, n - $3::int AS seq
  FROM generate_series($1::int, $2::int) AS n
    CROSS JOIN LATERAL make_interval(secs => ($3::int - n + 1) * ${OLDEST_DAYS * DAY_MS} / 1000.0 / $3::int) AS age
    JOIN model ON nth = n % (SELECT count(*) FROM model)
),
job AS (
  INSERT INTO jobs.job (id, ${COPIED}, ${TIMES.join(', ')}, commit_seq, event_commit_seq)
  SELECT copy_id, ${COPIED}, ${TIMES.map((time) => `${time} - age`).join(', ')}, seq, seq FROM copy
),
event AS MATERIALIZED (
  SELECT identified.*, replace(replace(body, job_id::text, copy_id::text), id::text, event_id::text) AS copy_body FROM (
    SELECT model_event.*, age, seq, copy_id, organization_id, mode, traceparent, uuidv7(-age) AS event_id
    FROM copy JOIN model_event ON job_id = copy.id
  ) AS identified
),
job_event AS (
  INSERT INTO jobs.job_event (id, job_id, sequence, state, message, actor, created_at)
  SELECT event_id, copy_id, sequence, state, message, actor, created_at - age FROM event
),
logged AS (
  INSERT INTO jobs.event_log (id, commit_seq, organization_id, mode, type, occurred_at, body, traceparent)
  SELECT event_id, seq, organization_id, mode, type, created_at - age, copy_body, traceparent
  FROM event WHERE age < ${keptInterval(eventLogPartitions)}
),
print AS (
  INSERT INTO usage.ledger (event_id, organization_id, job_id, job_created_at)
  SELECT event_id, organization_id, copy_id, created_at - age FROM event WHERE sequence = 1
)
INSERT INTO webhooks.event (id, organization_id, mode, type, body, created_at, commit_seq)
SELECT event_id, organization_id, mode, type, copy_body, created_at - age, seq FROM event
WHERE age < ${keptInterval(FEED)}`

/**
 * Evenly over the year and the organizations, each of which must have an ended job. Documents are left out: no job
 * reads an older one.
 */
export async function addOldJobs(system: System, count: number): Promise<void> {
  await addPartitions(system, 'jobs', eventLogPartitions)
  await addPartitions(system, 'webhooks', FEED)
  const client = new Client({ connectionString: system.databaseUrl })
  await client.connect()
  try {
    for (const statement of MODELS) await client.query(statement)
    for (let n = 0; n < count; n += BATCH) await client.query(FILL, [n + 1, Math.min(n + BATCH, count), count])
  } finally {
    await client.end()
  }
}

/** One for each day of the retention, as if the service had run since. */
async function addPartitions({ servicesDatabaseUrl }: System, schema: string, table: PartitionedTable) {
  const server = parseDatabaseUrl(servicesDatabaseUrl, schema)
  const { log } = createTestProcess('bench')
  for (let days = Math.round(table.keptMs / DAY_MS); days > 0; days -= SWEPT_DAYS) {
    const now = new Date(Date.now() - days * DAY_MS)
    await sweepPartitions({ log, clock: { now: () => now } }, { schema, server, tables: [table] })
  }
}
