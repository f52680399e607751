/**
 * `npm run bench -- retention [rows]`: how long the sweep of old jobs takes for `rows` ended jobs with five events
 * each, and the latency of creations with the sweep and without, in turns, so that what else goes on meets both: the
 * medians of the turns.
 */
import { createJobs } from '@platen/jobs/create-jobs.ts'
import type { Jobs } from '@platen/jobs/jobs.ts'
import { MIGRATIONS } from '@platen/jobs/migrations/migrations.ts'
import { sampleJob } from '@platen/jobs/tests/start-test-jobs.ts'
import { sweepOldJobs } from '@platen/jobs/timers/sweep-old-jobs.ts'
import { systemClock } from '@platen/runtime/clock.ts'
import { hotConnectionSettings } from '@platen/runtime/database/connection-settings.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import type { Pool } from 'pg'
import { createTestProcess } from '../harness/test-process.ts'
import { openPool, withPostgres } from './postgres.ts'
import { type Figures, medians, percentiles, printTable, runSteadily } from './report.ts'

const DAY_MS = 24 * 60 * 60_000
const RETENTION_MS = 365 * DAY_MS
const CREATIONS_PER_SECOND = 100
const TURNS = 6
const TURN_SECONDS = 10
const FILL_BATCH = 50_000

/** Copies of the job `$1`, created a second apart from 400 days ago on, at 1,000 printers. */
const FILL = `
WITH old AS (
  INSERT INTO jobs.job (id, organization_id, mode, printer_id, computer_id, title, content_type, source, qty, options,
    expire_after_seconds, expires_at, file_size_bytes, file_sha256, state, final_state, version, traceparent,
    created_at, finished_at)
  SELECT uuidv7(make_interval(days => -400, secs => n)), organization_id, mode, md5((n % 1000)::text)::uuid,
    md5((n % 100)::text)::uuid, title, content_type, source, qty, options, expire_after_seconds, expires_at,
    file_size_bytes, file_sha256, 'done', 'done', 5, traceparent, now() + make_interval(days => -400, secs => n), now()
  FROM jobs.job, generate_series($2::int, $3::int) AS n WHERE id = $1 RETURNING id, created_at
)
INSERT INTO jobs.job_event (id, job_id, sequence, state, actor, created_at)
SELECT uuidv7(), old.id, n, 'done', 'agent', created_at FROM old, generate_series(1, 5) AS n`

export const benchRetention = (rows: number) => withPostgres((url) => measureIn(url, rows))

async function measureIn(url: string, rows: number): Promise<void> {
  const filler = openPool({ connectionString: url, max: 1 })
  const pool = openPool({ connectionString: url, max: 8, ...hotConnectionSettings('bench') })
  try {
    await migrate(createTestProcess('bench').log, parseDatabaseUrl(url), 'jobs', MIGRATIONS)
    console.log(`making ${rows} jobs …`)
    await fill(filler, rows)
    console.log('measuring …')
    printTable(await measure(pool))
  } finally {
    await Promise.all([filler.end(), pool.end()])
  }
}

async function fill(pool: Pool, rows: number): Promise<void> {
  const job = sampleJob(new Date())
  await createJobs(pool, [job])
  for (let n = 0; n < rows; n += FILL_BATCH) await pool.query(FILL, [job.id, n + 1, Math.min(n + FILL_BATCH, rows)])
  await pool.query('VACUUM ANALYZE jobs.job, jobs.job_event')
  await pool.query('CHECKPOINT')
}

async function measure(pool: Pool): Promise<Record<string, number>> {
  const jobs = { pool, clock: systemClock, idempotencyKeyMs: DAY_MS } as Jobs
  const count = async (where: string) =>
    Number(
      (await pool.query(`SELECT count(*) FROM jobs.job WHERE created_at < now() - interval '${where}'`)).rows[0].count,
    )
  const turns: Figures[] = []
  let sweptMs = 0
  const sweep = async (stopping: AbortSignal) => {
    const startedAt = performance.now()
    await sweepOldJobs(jobs, RETENTION_MS, stopping)
    sweptMs += performance.now() - startedAt
  }
  await createFor(pool, TURN_SECONDS)
  const before = await count('365 days')
  for (let turn = 0; turn < TURNS; turn++) {
    const without = await createFor(pool, TURN_SECONDS)
    const stopping = new AbortController()
    const swept = sweep(stopping.signal)
    const during = await createFor(pool, TURN_SECONDS)
    stopping.abort()
    await swept
    turns.push({
      ...percentiles('creation, without the sweep', without),
      ...percentiles('creation, with the sweep', during),
    })
  }
  printTable(medians(turns))
  console.log('sweeping to the end …')
  await sweep(new AbortController().signal)
  return {
    ...medians(turns),
    'deleted jobs': before - (await count('365 days')),
    'remaining old jobs': await count('365 days'),
    'seconds of the sweep': Math.round(sweptMs / 1000),
  }
}

/** Creates jobs one by one at a steady rate. @returns milliseconds of each, from the time when it was due. */
async function createFor(pool: Pool, seconds: number): Promise<number[]> {
  return await runSteadily(CREATIONS_PER_SECOND, CREATIONS_PER_SECOND * seconds, async (dueAt) => {
    await createJobs(pool, [sampleJob(new Date())])
    return performance.now() - dueAt
  })
}
