import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ListJobsRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { JOB_STATES } from '@platen/resources/job-states.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { listQuery } from '../../lists/list-jobs.ts'
import { listJobs } from '../../rpc/list-jobs.ts'
import { startTestJobs } from '../start-test-jobs.ts'

type ListFacts = Omit<MessageInitShape<typeof ListJobsRequestSchema>, '$typeName' | '$unknown'>

const MINUTE_MS = 60_000

async function start() {
  const jobs = await startTestJobs()
  const tenant = { organizationId: uuidv7(), mode: 'test' }
  async function list(facts: ListFacts = {}) {
    const { jobs: found, end } = await listJobs(jobs, create(ListJobsRequestSchema, { ...tenant, ...facts }))
    return { ids: found.map(({ id }) => id), after: end?.position, hasMore: end?.hasMore, jobs: found }
  }
  /** All pages of a list, one job each. */
  async function walk(facts: ListFacts, ascending: boolean): Promise<string[]> {
    const ids: string[] = []
    for (let after: Uint8Array | undefined; ; ) {
      const page = await list({ ...facts, page: { limit: 1, ascending, after } })
      ids.push(...page.ids)
      if (!page.hasMore) return ids
      after = page.after
    }
  }
  return { jobs, tenant, list, walk }
}

test('a page has 25 jobs by default and at most 100, with all fields', async () => {
  const { jobs, tenant, list } = await start()
  await Promise.all(Array.from({ length: 102 }, () => jobs.addJob(tenant)))
  expect((await list()).ids).toHaveLength(25)
  expect((await list({ page: { limit: 101 } })).ids).toHaveLength(100)
  expect(await list({ page: { limit: 100 } })).toMatchObject({ hasMore: true })
  const facts = { options: { copies: 2 }, title: 'Invoice 7' }
  await jobs.addJob({ ...tenant, ...facts })
  const [job] = (await list()).jobs
  expect(job).toMatchObject({ ...facts, state: 'queued', fileSize: 8n, stateReasons: [], ...tenant })
  expect(job?.createdAt).toEqual(timestampFromDate(jobs.clock.now()))
  expect(job?.sentAt).toBeUndefined()
})

test('jobs of another organization or mode are in no list, with any filter', async () => {
  const { jobs, tenant, list } = await start()
  const [printerId, computerId] = [uuidv7(), uuidv7()]
  await jobs.addJob({ printerId, computerId, mode: 'test' })
  await jobs.addJob({ printerId, computerId, ...tenant, mode: 'live' })
  await untilVisible(jobs.pool)
  for (const filter of [{}, { printerId }, { computerId }, { source: 'api' }, { states: ['queued'] }])
    for (const ascending of [true, false]) expect((await list({ ...filter, page: { ascending } })).ids).toEqual([])
})

test('each filter, and several together, find the matching jobs, in both directions and over all pages', async () => {
  proves(
    'print-jobs.filter.state',
    'print-jobs.filter.state.repeated',
    'print-jobs.filter.printerId',
    'print-jobs.filter.computerId',
    'print-jobs.filter.source',
    'print-jobs.filter.confirmedBy',
    'print-jobs.filter.createdAfter',
    'print-jobs.filter.createdBefore',
    'print-jobs.filter.number',
    'print-jobs.filter.combined',
  )
  const { jobs, tenant, walk } = await start()
  const [printerId, computerId] = [uuidv7(), uuidv7()]
  const all: {
    id: string
    state: string
    printer: boolean
    computer: boolean
    source: string
    at: Date
    by?: string | undefined
    order: string
  }[] = []
  for (let n = 0; n < 48; n++) {
    jobs.advance(60)
    const [printer, computer] = [n % 3 === 0, n % 2 === 0]
    const source = n % 5 === 0 ? 'shop' : 'api'
    const ids = { ...(printer ? { printerId } : {}), ...(computer ? { computerId } : {}) }
    const metadata = { order: String(n % 4), all: 'yes' }
    const id = await jobs.addJob({ ...tenant, source, metadata, ...ids })
    const state = JOB_STATES[(n * 5) % 8] ?? 'queued'
    await jobs.force(id, state)
    const by = state === 'done' ? (n % 2 === 0 ? 'printer' : 'nobody') : undefined
    if (by) await jobs.pool.query('UPDATE jobs.job SET confirmed_by = $2 WHERE id = $1', [id, by])
    all.push({ id, state, printer, computer, source, at: jobs.clock.now(), by, order: metadata.order })
  }
  await untilVisible(jobs.pool)
  const [from, before] = [all[10]?.at ?? new Date(), all[40]?.at ?? new Date()]
  const createdFrom = timestampFromDate(from)
  const createdBefore = timestampFromDate(before)
  const cases: [ListFacts, (one: (typeof all)[number]) => boolean][] = [
    [{}, () => true],
    [{ states: ['done'] }, ({ state }) => state === 'done'],
    [{ states: ['done', 'error', 'queued'] }, ({ state }) => ['done', 'error', 'queued'].includes(state)],
    [{ printerId }, ({ printer }) => printer],
    [{ computerId }, ({ computer }) => computer],
    [{ source: 'shop' }, ({ source }) => source === 'shop'],
    [{ confirmedBy: 'nobody' }, ({ by }) => by === 'nobody'],
    [{ confirmedBy: 'printer', source: 'api' }, ({ by, source }) => by === 'printer' && source === 'api'],
    [{ confirmedBy: 'printer', states: ['error'] }, () => false],
    [{ metadata: { all: 'yes' } }, () => true],
    [{ metadata: { order: '2' } }, ({ order }) => order === '2'],
    [{ metadata: { all: 'yes', order: '2' }, printerId }, (one) => one.order === '2' && one.printer],
    [
      { metadata: { order: '1' }, createdFrom, createdBefore },
      ({ order, at }) => order === '1' && at >= from && at < before,
    ],
    [
      { metadata: { order: '1' }, states: ['queued', 'done'] },
      (one) => one.order === '1' && ['queued', 'done'].includes(one.state),
    ],
    // A job of that time is in the first one and not in the second one.
    [{ createdFrom }, ({ at }) => at >= from],
    [{ createdBefore }, ({ at }) => at < before],
    [{ createdFrom, createdBefore }, ({ at }) => at >= from && at < before],
    [{ printerId, computerId, source: 'api' }, (one) => one.printer && one.computer && one.source === 'api'],
    [
      { states: ['queued', 'cancelled'], printerId, createdFrom },
      (one) => ['queued', 'cancelled'].includes(one.state) && one.printer && one.at >= from,
    ],
    [{ number: 13 }, ({ id }) => id === all[12]?.id],
    [{ number: 13, states: ['queued'], printerId }, () => false],
    [{ number: 49 }, () => false],
    [{ printerId: uuidv7() }, () => false],
    [{ createdFrom: timestampFromDate(new Date('2190-01-01')) }, () => false],
    [{ createdBefore: timestampFromDate(new Date('1990-01-01')) }, () => false],
  ]
  for (const [filter, passes] of cases) {
    const expected = all.filter(passes).map(({ id }) => id)
    expect(await walk(filter, true)).toEqual(expected)
    expect(await walk(filter, false)).toEqual(expected.toReversed())
  }
})

test('filters by time are exact to the millisecond, also for jobs that are committed minutes out of order', async () => {
  const { jobs, tenant, walk } = await start()
  const began = jobs.clock.now().getTime()
  const at = (ms: number) => new Date(began + ms)
  const added: { id: string; ms: number }[] = []
  for (const ms of [0, 4 * MINUTE_MS, 1, MINUTE_MS, 4 * MINUTE_MS + 1, 2 * MINUTE_MS])
    added.push({ ms, id: await jobs.addJob({ ...tenant, createdAt: at(ms) }) })
  await untilVisible(jobs.pool)
  for (const ms of [0, 1, 2, MINUTE_MS, 4 * MINUTE_MS, 4 * MINUTE_MS + 1, 4 * MINUTE_MS + 2]) {
    const later = added.filter((one) => one.ms >= ms).map(({ id }) => id)
    expect(await walk({ createdFrom: timestampFromDate(at(ms)) }, true)).toEqual(later)
    const earlier = added.filter((one) => one.ms < ms).map(({ id }) => id)
    expect(await walk({ createdBefore: timestampFromDate(at(ms)) }, true)).toEqual(earlier)
  }
})

const MANY = 5_000

/** 5,000 jobs of one printer and one source after an older job of the same printer and another source. */
async function startWithMany() {
  const started = await start()
  const { jobs, tenant } = started
  const [printerId, computerId] = [uuidv7(), uuidv7()]
  const oldest = await jobs.addJob({ ...tenant, printerId, computerId, source: 'rare' })
  await jobs.force(oldest, 'sent')
  const job = await jobs.addJob({ ...tenant, printerId, computerId, source: 'api' })
  await copyJob(jobs.pool, job, MANY - 1)
  await untilVisible(jobs.pool)
  return { ...started, printerId, computerId, oldest }
}

test('a page of a list by two filters that no index has together examines 5,000 jobs and continues behind them, and one by a single filter 5,000 unfinished jobs', async () => {
  proves('page.examined', 'page.examined.unfinished')
  const { list, printerId, computerId, oldest } = await startWithMany()
  for (const filters of [
    { printerId, source: 'rare' },
    { source: 'rare' },
    { states: ['sent'] },
    { states: ['sent', 'done'], computerId },
  ]) {
    const first = await list(filters)
    expect(first).toMatchObject({ ids: [], hasMore: true })
    expect(await list({ ...filters, page: { after: first.after } })).toMatchObject({ ids: [oldest], hasMore: false })
    expect(await list({ ...filters, page: { ascending: true } })).toMatchObject({ ids: [oldest], hasMore: true })
  }
})

test('a page of a list by a pair of metadata and another filter examines 5,000 jobs with the pair', async () => {
  const { jobs, tenant, list } = await start()
  const metadata = { order: '4711' }
  const oldest = await jobs.addJob({ ...tenant, metadata, source: 'rare' })
  const job = await jobs.addJob({ ...tenant, metadata })
  await copyJob(jobs.pool, job, MANY - 1)
  const COPY_PAIRS = `INSERT INTO jobs.job_metadata (organization_id, mode, value, key, commit_seq, id)
    SELECT organization_id, mode, '4711', 'order', commit_seq, id FROM jobs.job
    WHERE organization_id = $1 AND id <> ALL ($2)`
  await jobs.pool.query(COPY_PAIRS, [tenant.organizationId, [oldest, job]])
  const first = await list({ metadata, source: 'rare' })
  expect(first).toMatchObject({ ids: [], hasMore: true })
  const second = await list({ metadata, source: 'rare', page: { after: first.after } })
  expect(second).toMatchObject({ ids: [oldest], hasMore: false })
  const { sql, values } = listQuery(
    { ...tenant, states: [], metadata },
    { after: undefined, ascending: false, rows: 26 },
    'id',
  )
  const { rows } = await jobs.lists.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values)
  const read = JSON.stringify(rows).matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)
  expect(Math.max(...[...read].map(([, count]) => Number(count))), sql).toBeLessThanOrEqual(26)
})

test('a list by a final state and a printer, computer or source, or by one of these alone, reads no more than its pages', async () => {
  const { jobs, tenant, printerId, computerId } = await startWithMany()
  // Each filter matches many jobs, but no job has the state `error` together with one of the others.
  await jobs.pool.query(
    `UPDATE jobs.job SET (state, final_state, printer_id, computer_id, source) = (
       SELECT 'error', 'error', $2::uuid, $2::uuid, 'shop') WHERE printer_id = $1 AND accepted_order % 2 = 0`,
    [printerId, uuidv7()],
  )
  await jobs.pool.query(`UPDATE jobs.job SET state = 'done', final_state = 'done' WHERE printer_id = $1`, [printerId])
  // If the installation had few unfinished jobs, PostgreSQL would read them all.
  await copyJob(jobs.pool, await jobs.addJob(), MANY)
  await jobs.pool.query('ANALYZE jobs.job')
  for (const filter of [{ printerId }, { computerId }, { source: 'api' }])
    for (const states of [[], ['error'], ['done']]) {
      const filters = { ...tenant, ...filter, states }
      const { sql, values } = listQuery(filters, { after: undefined, ascending: false, rows: 26 }, 'id')
      const { rows } = await jobs.lists.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values)
      const read = JSON.stringify(rows).matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)
      expect(Math.max(...[...read].map(([, count]) => Number(count))), sql).toBeLessThanOrEqual(26)
    }
})
