/**
 * `npm run bench -- lists [rows]`: what a page of `GET /v1/printjobs` costs in PostgreSQL by each filter, at the
 * beginning and deep inside of a list, which indexes it walks, the floor in the same run (as many jobs by their ids,
 * prepared), what searches and the last prints of 1,000 printers cost, and what the lists' indexes cost creations and
 * changes.
 */
import { create } from '@bufbuild/protobuf'
import { MikroORM } from '@mikro-orm/postgresql'
import { createJobs } from '@platen/jobs/create-jobs.ts'
import { JobEntity, JobEventEntity } from '@platen/jobs/entities.ts'
import { type JobFilters, listQuery, readJobs } from '@platen/jobs/lists/list-jobs.ts'
import { searchJobs } from '@platen/jobs/lists/search-jobs.ts'
import { MIGRATIONS } from '@platen/jobs/migrations/migrations.ts'
import { listLastPrints } from '@platen/jobs/rpc/list-last-prints.ts'
import { sampleJob } from '@platen/jobs/tests/start-test-jobs.ts'
import { ListLastPrintsRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { visibleBefore } from '@platen/runtime/database/commit-seq.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { Pool } from 'pg'
import { createTestProcess } from '../harness/test-process.ts'
import { BATCH, changeBatch, createBatch } from './floor.ts'
import { withPostgres } from './postgres.ts'
import { percentile, percentiles, printTable } from './report.ts'

const ROWS_ASKED = 26
const REPEATS = 200
const WRITES = 1_000
const ROUNDS = 3

const id = (kind: number, n: number) => `00000000-0000-7000-800${kind}-${n.toString(16).padStart(12, '0')}`
const sqlId = (kind: number, n: string) => `('00000000-0000-7000-800${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const ORGANIZATION = id(1, 1)
const BEGIN = Date.UTC(2026, 0, 1)
/** The id is a UUIDv7: a job each second. */
const jobId = (n: number) =>
  `${(BEGIN + 1000 * n).toString(16).padStart(12, '0')}70008005${n.toString(16).padStart(12, '0')}`
const sqlJobId = (n: string) =>
  `(lpad(to_hex(${BEGIN} + 1000 * ${n}::bigint), 12, '0') || '70008005' || lpad(to_hex(${n}), 12, '0'))::uuid`

/**
 * One organization has nine of ten jobs, a job each second. Of 1,000 printers the first has one job of ten, and the
 * last only some of the oldest; so has the source `rare`. Of 1,000 jobs 970 are `done`. Half of the jobs are of the
 * shop `main`, and three of them in an order.
 */
const FILL = `
INSERT INTO jobs.job (id, organization_id, mode, printer_id, computer_id, title, content_type, source, qty, options,
  expire_after_seconds, expires_at, storage_key, file_size_bytes, file_sha256, state, final_state, version, traceparent,
  created_at, finished_at, commit_seq, metadata)
SELECT ${sqlJobId('n')}, CASE WHEN n % 10 = 9 THEN ${sqlId(1, '2')} ELSE ${sqlId(1, '1')} END, 'live',
  ${sqlId(2, 'printer')}, ${sqlId(3, 'printer % 100')}, 'Invoice ' || n, 'pdf_base64',
  CASE WHEN n < $1 / 50 AND n % 200 = 0 THEN 'rare' ELSE 'api' END, 1, '{"copies": 2}', 86400,
  $2::timestamptz + make_interval(secs => n + 86400), 'key', 1000, repeat('ab', 32),
  COALESCE(final_state, 'queued'), final_state, 5, '', $2::timestamptz + make_interval(secs => n),
  $2::timestamptz + make_interval(secs => n + 8), n,
  CASE WHEN n % 2 = 0 THEN jsonb_build_object('shop', 'main', 'order', (n / 6)::text) ELSE '{}' END
FROM (SELECT n,
  CASE WHEN n % 1000 < 970 THEN 'done' WHEN n % 1000 < 980 THEN 'error' WHEN n % 1000 < 990 THEN 'cancelled'
    WHEN n <= $1 - 2000 THEN 'expired' END AS final_state,
  CASE WHEN n % 10 = 1 THEN 1 WHEN n < $1 / 50 AND n % 100 = 5 THEN 999 ELSE 2 + (n * 7) % 997 END AS printer
  FROM generate_series(1, $1::int) AS n) AS numbered`

const FILL_METADATA = `
INSERT INTO jobs.job_metadata (organization_id, mode, value, key, commit_seq, id)
SELECT organization_id, mode, pair.value, pair.key, commit_seq, id FROM jobs.job
CROSS JOIN LATERAL jsonb_each_text(metadata) AS pair`

export const benchLists = (rows: number) => withPostgres((url) => measureIn(url, rows))

async function measureIn(url: string, rows: number): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 })
  try {
    const start = () => migrate(createTestProcess('bench').log, parseDatabaseUrl(url), 'jobs', MIGRATIONS)
    await start()
    console.log(`making ${rows} jobs …`)
    await pool.query(FILL, [rows, new Date(BEGIN)])
    await pool.query(FILL_METADATA)
    await pool.query('VACUUM ANALYZE jobs.job, jobs.job_metadata')
    // Like after a restart of the server.
    await pool.query(`UPDATE jobs.commit_seq_origin SET started_at = '-infinity'`)
    await start()
    const orm = await MikroORM.init({ clientUrl: url, schema: 'jobs', entities: [JobEntity, JobEventEntity] })
    await measurePages(pool, orm, rows)
    await measureSearches(pool, orm)
    await orm.close()
    const lag = await measureLag(url)
    printTable({ ...lag, ...(await measureIndexes(pool)) })
  } finally {
    await pool.end()
  }
}

async function measurePages(pool: Pool, orm: MikroORM, rows: number): Promise<void> {
  const at = (share: number) => new Date(BEGIN + rows * share * 1000)
  const oldest = (ms: number) => ({ createdFrom: at(0.1), createdBefore: new Date(at(0.1).getTime() + ms) })
  const filters: Record<string, Partial<JobFilters>> = {
    none: {},
    'state done': { states: ['done'] },
    'state error': { states: ['error'] },
    'state queued, error': { states: ['queued', 'error'] },
    'every state': { states: ['queued', 'sent', 'received', 'printing', 'done', 'error', 'cancelled', 'expired'] },
    'printer with 10 %': { printerId: id(2, 1) },
    'printer with 0.1 %': { printerId: id(2, 500) },
    'printer with old jobs': { printerId: id(2, 999) },
    computer: { computerId: id(3, 50) },
    'source api': { source: 'api' },
    'source rare': { source: 'rare' },
    'createdAfter, middle': { createdFrom: at(0.5) },
    'createdBefore, middle': { createdBefore: at(0.5) },
    'one hour, old': oldest(3_600_000),
    'state error, printer': { states: ['error'], printerId: id(2, 1) },
    'state error, one day': { states: ['error'], ...oldest(86_400_000) },
    'source rare, late': { source: 'rare', createdFrom: at(0.5) },
    'metadata, an order': { metadata: { order: '100' } },
    'metadata, half of them': { metadata: { shop: 'main' } },
    'metadata, two pairs': { metadata: { shop: 'main', order: '100' } },
    'metadata, source rare': { metadata: { shop: 'main' }, source: 'rare' },
    'nothing found': { source: 'none' },
  }
  const floor = await floorMs(pool, rows)
  console.log(`floor: ${ROWS_ASKED} jobs by their ids, p50 ${floor} ms\n`)
  console.log('filter, p50 ms           desc first  desc deep  asc first  asc deep  indexes')
  for (const [name, some] of Object.entries(filters)) {
    const asked = { organizationId: ORGANIZATION, mode: 'live', states: [], ...some }
    const cells: string[] = []
    for (const ascending of [false, true])
      for (const after of [
        undefined,
        { commitSeq: BigInt(Math.round(rows * (ascending ? 0.9 : 0.1))), id: jobId(0) },
      ]) {
        const page = { ascending, after, rows: ROWS_ASKED }
        cells.push(String(await medianMs(() => readJobs({ lists: pool, orm }, asked, page))).padStart(9))
      }
    const indexes = await findIndexes(pool, asked)
    console.log(`${name.padEnd(24)}  ${cells.join(' ')}   ${indexes}`)
  }
}

/** The titles are `Invoice n`. */
async function measureSearches(pool: Pool, orm: MikroORM): Promise<void> {
  console.log('\nsearch                       p50 ms    p95 ms  results')
  for (const [text, printers] of Object.entries({
    invoice: [],
    'invoice 4': [],
    'Invoice 4711': [],
    4711: [],
    api: [id(2, 1)],
    main: [],
    nothing: [],
  })) {
    const search = { organizationId: ORGANIZATION, mode: 'live', text, printerIds: printers }
    await printTimes(text, async () => (await searchJobs({ lists: pool, orm }, search)).length)
  }
  const printerIds = Array.from({ length: 1_000 }, (_, n) => id(2, n + 1))
  const request = create(ListLastPrintsRequestSchema, { organizationId: ORGANIZATION, mode: 'live', printerIds })
  await printTimes(
    'last prints of printers',
    async () => (await listLastPrints({ lists: pool }, request)).prints.length,
  )
}

async function printTimes(name: string, work: () => Promise<number>): Promise<void> {
  const times: number[] = []
  let results = 0
  for (let n = 0; n < REPEATS; n++) {
    const startedAt = performance.now()
    results = await work()
    times.push(performance.now() - startedAt)
  }
  const cells = [percentile(times, 50), percentile(times, 95)].map((ms) => ms.toFixed(1).padStart(9))
  console.log(`${name.padEnd(24)}  ${cells.join(' ')} ${String(results).padStart(8)}`)
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < REPEATS; n++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
    // What takes this long says enough in a few.
    if (n >= 5 && performance.now() - startedAt > 50) break
  }
  return Number((times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN).toFixed(2))
}

async function floorMs(pool: Pool, rows: number): Promise<number> {
  const some = Array.from({ length: ROWS_ASKED }, (_, n) => jobId(rows - n))
  return await medianMs(() =>
    pool.query({ name: 'floor', text: 'SELECT * FROM jobs.job WHERE id = ANY($1::uuid[])', values: [some] }),
  )
}

async function findIndexes(pool: Pool, filters: JobFilters): Promise<string> {
  const { sql, values } = listQuery(filters, { ascending: false, after: undefined, rows: ROWS_ASKED }, 'id')
  const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${sql}`, values)
  return [...new Set(JSON.stringify(rows).match(/(?<="Index Name":")\w+|Seq Scan|Sort"/g))]
    .join(', ')
    .replaceAll('"', '')
}

/**
 * How long after its creation is answered a poller can see a job, while others create and change jobs as fast as they
 * can.
 */
async function measureLag(databaseUrl: string): Promise<Record<string, number>> {
  const writers = new Pool({ connectionString: databaseUrl, max: 8 })
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  let over = false
  const write = async () => {
    while (!over) {
      await changeBatch(writers, await createBatch(writers), ['push'])
    }
  }
  const writing = Promise.all(Array.from({ length: 8 }, write))
  const lagMs: number[] = []
  for (let n = 0; n < 500; n++) {
    const job = sampleJob(new Date())
    await createJobs(pool, [job])
    const createdAt = performance.now()
    const text = `SELECT FROM jobs.job WHERE id = $1 AND commit_seq < ${visibleBefore('jobs')}`
    while ((await pool.query({ name: 'visible', text, values: [job.id] })).rowCount === 0);
    lagMs.push(performance.now() - createdAt)
  }
  over = true
  await writing
  await Promise.all([writers.end(), pool.end()])
  return percentiles('after its 201 a poller sees a job', lagMs, [50, 99, 100])
}

/** With the lists' indexes and without, in turns, so that what else goes on meets both. */
async function measureIndexes(pool: Pool): Promise<Record<string, number>> {
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'jobs' AND indexname ~ '^job_(page|unfinished|ended)'`,
  )
  const times = {
    with: { createUs: [] as number[], changeUs: [] as number[] },
    without: { createUs: [], changeUs: [] },
  }
  for (let round = 0; round < ROUNDS; round++) {
    await pool.query('VACUUM ANALYZE jobs.job')
    await measureWrites(pool, times.with)
    for (const { name } of indexes) await pool.query(`DROP INDEX jobs.${name}`)
    await pool.query('VACUUM ANALYZE jobs.job')
    await measureWrites(pool, times.without)
    for (const { definition } of indexes) await pool.query(definition)
  }
  return Object.fromEntries(
    Object.entries(times).flatMap(([what, { createUs, changeUs }]) => [
      [`creation p50 µs of ${BATCH} in a statement, ${what} the lists' indexes`, Math.round(percentile(createUs, 50))],
      [`four changes p50 µs, ${what} the lists' indexes`, Math.round(percentile(changeUs, 50))],
    ]),
  )
}

/** One connection: what PostgreSQL and the round trip take for a job in batches: its creation, and its four changes. */
async function measureWrites(pool: Pool, times: { createUs: number[]; changeUs: number[] }): Promise<void> {
  for (let n = 0; n < WRITES / BATCH; n++) {
    const startedAt = performance.now()
    const jobIds = await createBatch(pool)
    const createdAt = performance.now()
    await changeBatch(pool, jobIds)
    times.createUs.push(((createdAt - startedAt) * 1000) / BATCH)
    times.changeUs.push(((performance.now() - createdAt) * 1000) / BATCH)
  }
}
