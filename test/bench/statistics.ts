/**
 * `npm run bench -- statistics [jobs]`: what a page of `GET /v1/statistics` costs in PostgreSQL among so many jobs of one organization and
 * 400 days, and what the merge of hours into days costs for a job.
 */

import { MikroORM } from '@mikro-orm/postgresql'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { PlanEntity } from '@platen/usage/entities.ts'
import { readStatistics, type StatisticsFilters } from '@platen/usage/list-statistics.ts'
import { MIGRATIONS } from '@platen/usage/migrations/migrations.ts'
import { sweepStatistics } from '@platen/usage/timers/sweep-statistics.ts'
import type { Pool } from 'pg'
import { createTestClock } from '../harness/test-clock.ts'
import { createTestProcess } from '../harness/test-process.ts'
import { openPool, withPostgres } from './postgres.ts'
import { percentile, printTable } from './report.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = 400
const REPEATS = 100
const ORGANIZATION = '00000000-0000-7000-8001-000000000001'
const NOW = new Date('2026-11-26T12:00:00Z')
const sqlId = (n: string) => `('00000000-0000-7000-8002-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const PRINTER = '00000000-0000-7000-8002-000000000007'

/** Of 1,000 printers on 100 computers, with 5 keys and 3 sources. Of 100 jobs 97 are `done`, in a second to 80 s. */
const FILL = `
WITH unit AS MATERIALIZED (SELECT n, power(10::numeric, 12 * n) AS one FROM generate_series(0, 40) AS n),
job AS (
  SELECT n, date_trunc('hour', $2::timestamptz - make_interval(secs => n * 86400.0 * ${DAYS} / $1), 'UTC') AS hour,
    (n * 7919) % 1000 AS printer, n % 5 AS key, n % 3 AS source, n % 100 AS end, 14 + (n * 31) % 25 AS bin
  FROM generate_series(1, $1::bigint) AS n
)
INSERT INTO usage.job_hour
SELECT '${ORGANIZATION}', 'live', hour, ${sqlId('printer')}, ${sqlId('printer % 100')}, ${sqlId('key')}, 'source ' || source, state,
  CASE state WHEN 'error' THEN 'unconfirmed' ELSE '' END, count(*), sum(CASE state WHEN 'done' THEN one ELSE 0 END),
  sum(CASE state WHEN 'done' THEN one ELSE 0 END)
FROM job JOIN unit ON unit.n = bin
  CROSS JOIN LATERAL (VALUES ('queued'), (CASE WHEN job.end < 97 THEN 'done' WHEN job.end < 99 THEN 'error' ELSE 'expired' END)) AS counted (state)
GROUP BY hour, printer, key, source, state`

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
    await pool.query(FILL, [jobs, NOW])
    await pool.query('VACUUM ANALYZE usage.job_hour')
    const startedAt = performance.now()
    const usage = { orm, pool, lists: pool, clock: createTestClock(NOW) }
    await sweepStatistics(usage, new AbortController().signal)
    const mergeUs = ((performance.now() - startedAt) * 1000) / jobs
    await pool.query('VACUUM ANALYZE')
    console.log('list, ms                      p50      p95   entries')
    for (const [name, list] of Object.entries(LISTS)) await measureList(pool, name, list)
    printTable({ 'merge, µs of PostgreSQL a job': Number(mergeUs.toFixed(1)), ...(await measureSizes(pool)) })
  } finally {
    await orm.close()
    await pool.end()
  }
}

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
    `SELECT relname AS name, (pg_total_relation_size(oid) / 1e6)::float AS megabytes FROM pg_class WHERE relname IN ('job_hour', 'job_day')`,
  )
  return Object.fromEntries(rows.map(({ name, megabytes }) => [`MB of ${name}`, Math.round(megabytes)]))
}
