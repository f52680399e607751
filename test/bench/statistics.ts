/**
 * `npm run bench -- statistics [jobs]`: what a page of `GET /v1/statistics` costs in PostgreSQL among so many jobs of
 * one organization and 400 days, and what the count of a job costs.
 */

import { MikroORM } from '@mikro-orm/postgresql'
import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { addCounts } from '@platen/usage/add-counts.ts'
import type { CountedEvent } from '@platen/usage/count-jobs.ts'
import { PlanEntity } from '@platen/usage/entities.ts'
import { readStatistics, type StatisticsFilters } from '@platen/usage/list-statistics.ts'
import { MIGRATIONS } from '@platen/usage/migrations/migrations.ts'
import { recordPrints } from '@platen/usage/record-prints.ts'
import { addRecentCounts } from '@platen/usage/timers/add-recent-counts.ts'
import { sweepStatistics } from '@platen/usage/timers/sweep-statistics.ts'
import type { Pool } from 'pg'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestProcess } from '../harness/test-process.ts'
import { openPool, withPostgres } from './postgres.ts'
import { percentile, printTable } from './report.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = 400
const REPEATS = 100
const PRINTERS = 1_000
/** Jobs of a batch of the consumer. */
const BATCH = 500
/** The batches whose counts are added to the intervals at once: 10 s at 800 jobs a second. */
const BATCHES = 16
const ORGANIZATION = '00000000-0000-7000-8001-000000000001'
const NOW = new Date('2026-11-26T12:30:00Z')
const sqlId = (n: string) => `('00000000-0000-7000-8002-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const PRINTER = '00000000-0000-7000-8002-000000000007'

/**
 * The jobs of a day: of printers on 100 computers, with 5 keys and 3 sources. Of 100 jobs 97 are `done`, in a second to
 * 80 s. The parameters are the jobs, the days before now, now, the printers, and the seconds in which the jobs are.
 */
const FILL = addCounts(`
WITH unit AS MATERIALIZED (SELECT n, power(10::numeric, 12 * n) AS one FROM generate_series(0, 40) AS n),
job AS (
  SELECT date_trunc('hour', $3::timestamptz - make_interval(days => $2::int, secs => n * $5::float / $1),
    'UTC') AS hour,
    (n * 7919) % $4::int AS printer, n % 5 AS key, n % 3 AS source, n % 100 AS end, 14 + (n * 31) % 25 AS bin
  FROM generate_series(1, $1::bigint) AS n
)
SELECT '${ORGANIZATION}'::uuid AS organization_id, 'live' AS mode, hour, ${sqlId('printer')} AS printer_id,
  ${sqlId('printer % 100')} AS computer_id, ${sqlId('key')} AS key_id, 'source ' || source AS source, counted.*,
  CASE state WHEN 'done' THEN jobs * one ELSE 0 END AS printing,
  CASE state WHEN 'done' THEN jobs * one ELSE 0 END AS done
FROM job JOIN unit ON unit.n = bin CROSS JOIN LATERAL (VALUES
  ('done', '', 1, CASE WHEN job.end < 97 THEN 1 ELSE 0 END),
  (CASE WHEN job.end < 99 THEN 'error' ELSE 'expired' END, CASE WHEN job.end < 99 THEN 'unconfirmed' ELSE '' END, 0,
    CASE WHEN job.end < 97 THEN 0 ELSE 1 END)
) AS counted (state, reason, accepted, jobs)
WHERE accepted + jobs > 0`)

const LISTS: Record<string, Partial<StatisticsFilters> & { days: number }> = {
  'hours, 2 days': { interval: 'hour', days: 2 },
  'hours of a printer': { interval: 'hour', dimension: 'printer', value: PRINTER, days: 2 },
  'days, 30 days': { days: 30 },
  'days, 400 days': { days: DAYS },
  'days by printer': { dimension: 'printer', days: DAYS },
  'days by computer': { dimension: 'computer', days: DAYS },
  'days by key': { dimension: 'key', days: DAYS },
  'days by source': { dimension: 'source', days: DAYS },
  'days of a printer': { dimension: 'printer', value: PRINTER, days: DAYS },
  'months, 400 days': { interval: 'month', days: DAYS },
  'month by key': { interval: 'month', dimension: 'key', days: 30 },
  'month by printer': { interval: 'month', dimension: 'printer', days: 30 },
}

export const benchStatistics = (jobs: number) => withPostgres((url) => measureIn(url, jobs))

async function measureIn(url: string, jobs: number): Promise<void> {
  const pool = openPool({ connectionString: url, max: 1 })
  const orm = await MikroORM.init({ clientUrl: url, schema: 'usage', entities: [PlanEntity] })
  try {
    await migrate(createTestProcess('bench').log, parseDatabaseUrl(url), 'usage', MIGRATIONS)
    console.log(`counting ${jobs} jobs …`)
    const clock = createTestClock(new Date(NOW.getTime() - DAYS * DAY_MS))
    for (let day = DAYS - 1; day >= 0; day--) {
      await pool.query(FILL, [Math.round(jobs / DAYS), day, NOW, PRINTERS, DAY_MS / 1000])
      clock.advance(DAY_MS)
      await sweepStatistics({ orm, pool, lists: pool, clock }, new AbortController().signal)
    }
    await pool.query('VACUUM ANALYZE')
    console.log('list, ms                      p50      p95   entries')
    for (const [name, list] of Object.entries(LISTS)) await measureList(pool, name, list)
    printTable({
      'count, µs of PostgreSQL a job of one printer': await measureCount(pool, 1),
      [`count, µs of PostgreSQL a job of ${PRINTERS} printers`]: await measureCount(pool, PRINTERS),
      ...(await measureSizes(pool)),
    })
  } finally {
    await orm.close()
    await pool.end()
  }
}

/**
 * @returns the median time of the statements that count so many jobs that are created and printed, and add their counts
 *   to the intervals.
 */
async function measureCount(pool: Pool, printers: number): Promise<number> {
  const log = `of ${printers} printers`
  await pool.query('INSERT INTO usage.log_cursor (log) VALUES ($1)', [log])
  const times: number[] = []
  let moves = 0n
  for (let n = 0; n < REPEATS; n++) {
    const at = (commitSeq: bigint) => ({ commitSeq, number: 0n })
    const startedAt = performance.now()
    for (let batch = 0; batch < BATCHES; batch++)
      await recordPrints(pool, [], sampleEvents(printers), { log, from: at(moves), to: at(++moves) })
    await addRecentCounts(pool, { isComplete: true })
    times.push(performance.now() - startedAt)
  }
  return Number(((percentile(times, 50) * 1000) / BATCH / BATCHES).toFixed(1))
}

const benchId = (n: number) => `00000000-0000-7000-8002-${n.toString(16).padStart(12, '0')}`

const sampleEvents = (printers: number): CountedEvent[] =>
  Array.from({ length: BATCH }, (_, n) => {
    const printer = (n * 7919) % printers
    const job = {
      ...{ printerId: benchId(printer), computerId: benchId(printer % 100), source: `source ${n % 3}` },
      ...{ state: 'queued', stateReasons: [], createdAt: NOW.toISOString(), printingAt: null, finishedAt: null },
    } as unknown as JobJson
    const printedAt = new Date(NOW.getTime() + 1_000 + 100 * n).toISOString()
    const done: JobJson = { ...job, state: 'done', printingAt: printedAt, finishedAt: printedAt }
    return [job, done].map((job) => ({
      ...{ organizationId: ORGANIZATION, mode: 'live', createdBy: `key:${benchId(n % 5)}`, at: NOW.toISOString(), job },
    }))
  }).flat()

async function measureList(pool: Pool, name: string, { days, ...list }: Partial<StatisticsFilters> & { days: number }) {
  const from = new Date(Math.floor(NOW.getTime() / DAY_MS) * DAY_MS - days * DAY_MS)
  const filters = { organizationId: ORGANIZATION, mode: 'live', interval: 'day', dimension: 'all', ...list } as const
  const times: number[] = []
  let entries = 0
  for (let n = 0; n < REPEATS; n++) {
    const startedAt = performance.now()
    const rows = await readStatistics(
      pool,
      { ...filters, from, until: NOW },
      { after: undefined, ascending: false, rows: 101 },
    )
    times.push(performance.now() - startedAt)
    entries = new Set(rows.map(({ start, value }) => `${start.getTime()} ${value}`)).size
  }
  const cells = [percentile(times, 50), percentile(times, 95)].map((ms) => ms.toFixed(1).padStart(9))
  console.log(`${name.padEnd(24)}${cells.join('')}${String(entries).padStart(10)}`)
}

async function measureSizes(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; megabytes: number }>(
    `SELECT relname AS name, (pg_total_relation_size(oid) / 1e6)::float AS megabytes FROM pg_class
     WHERE relname = 'job_count'`,
  )
  return Object.fromEntries(rows.map(({ name, megabytes }) => [`MB of ${name}`, Math.round(megabytes)]))
}
