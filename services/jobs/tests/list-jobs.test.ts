import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type ListJobsRequest, ListJobsRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { untilSettled } from '@platen/test/harness/until-settled.ts'
import { follow, writeOutOfOrder } from '@platen/test/harness/write-out-of-order.ts'
import { Client, type Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { createJobRow } from '../create-job-row.ts'
import { listJobs } from '../rpc/list-jobs.ts'
import { JOB_STATES } from '../states.ts'
import { sampleJob, startTestJobs, type TestJobs } from './start-test-jobs.ts'

const organizationId = uuidv7()
const tenant = { organizationId, mode: 'test' }

type Asked = Exclude<MessageInitShape<typeof ListJobsRequestSchema>, ListJobsRequest>

async function list(jobs: TestJobs, asked: Asked = {}) {
  const found = await listJobs(jobs, create(ListJobsRequestSchema, { ...tenant, ...asked }))
  return { ids: found.jobs.map(({ id }) => id), next: found.end?.place, hasMore: found.end?.hasMore, jobs: found.jobs }
}

/** All pages of a list, one job each. */
async function walk(jobs: TestJobs, asked: Asked, ascending: boolean): Promise<string[]> {
  const ids: string[] = []
  let after: Uint8Array | undefined
  for (;;) {
    const page = await list(jobs, { ...asked, page: { limit: 1, ascending, after } })
    ids.push(...page.ids)
    if (!page.hasMore) return ids
    after = page.next
  }
}

const insert = async (client: Client) => {
  const job = { ...sampleJob(new Date()), ...tenant }
  await createJobRow(client as unknown as Pool, job, 'api')
  return job.id
}

describe('a poller', () => {
  test('sees each job exactly once while 16 writers commit in another order than they insert in', async () => {
    const jobs = await startTestJobs()
    const writing = writeOutOfOrder(jobs.databaseUrl, insert)
    let midway = 0
    const seen = await follow<Uint8Array>(writing, async (after) => {
      const page = await list(jobs, { page: { limit: 7, ascending: true, after } })
      midway += page.ids.length > 0 ? 1 : 0
      return page
    })
    const inserted = await writing
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.toSorted()).toEqual(inserted.toSorted())
    expect(midway).toBeGreaterThan(20)
  })

  test('waits for the oldest open transaction, which newest first does not', async () => {
    const jobs = await startTestJobs()
    const slow = new Client({ connectionString: jobs.databaseUrl })
    await slow.connect()
    await slow.query('BEGIN')
    const first = await insert(slow)
    const second = await jobs.addJob(tenant)
    expect((await list(jobs, { page: { ascending: true } })).ids).toEqual([])
    expect((await list(jobs)).ids).toEqual([second])
    await slow.query('COMMIT')
    await slow.end()
    await untilSettled(jobs.pool)
    expect((await list(jobs, { page: { ascending: true } })).ids).toEqual([first, second])
    expect((await list(jobs)).ids).toEqual([second, first])
  })
})

test('a page has 25 jobs unless a limit is asked, and at most 100', async () => {
  const jobs = await startTestJobs()
  for (let n = 0; n < 102; n++) await jobs.addJob(tenant)
  expect((await list(jobs)).ids).toHaveLength(25)
  expect((await list(jobs, { page: { limit: 101 } })).ids).toHaveLength(100)
  expect(await list(jobs, { page: { limit: 100 } })).toMatchObject({ hasMore: true })
})

test('a listed job has all that a job has', async () => {
  const jobs = await startTestJobs()
  await jobs.addJob({ ...tenant, options: { copies: 2 }, title: 'Invoice 7' })
  const [job] = (await list(jobs)).jobs
  expect(job).toMatchObject({ title: 'Invoice 7', state: 'queued', fileSizeBytes: 8n, stateReasons: [], ...tenant })
  expect(job?.options).toEqual({ copies: 2 })
  expect(job?.createdAt).toEqual(timestampFromDate(jobs.clock.now()))
  expect(job?.sentAt).toBeUndefined()
})

test('jobs of another organization or mode are in no list, whatever is filtered by', async () => {
  const jobs = await startTestJobs()
  const [printerId, computerId] = [uuidv7(), uuidv7()]
  await jobs.addJob({ printerId, computerId, mode: 'test' })
  await jobs.addJob({ printerId, computerId, organizationId, mode: 'live' })
  await untilSettled(jobs.pool)
  const asked: Asked[] = [{}, { printerId }, { computerId }, { source: 'api' }, { states: ['queued'] }]
  for (const one of asked)
    for (const ascending of [true, false]) expect((await list(jobs, { ...one, page: { ascending } })).ids).toEqual([])
})

describe('filters', () => {
  async function startWithJobs() {
    const jobs = await startTestJobs()
    const [printerId, computerId] = [uuidv7(), uuidv7()]
    const all: { id: string; state: string; printer: boolean; computer: boolean; source: string; at: Date }[] = []
    for (let n = 0; n < 48; n++) {
      jobs.clock.advanceSeconds(60)
      const [printer, computer] = [n % 3 === 0, n % 2 === 0]
      const source = n % 5 === 0 ? 'shop' : 'api'
      const id = await jobs.addJob({
        ...tenant,
        source,
        createdAt: jobs.clock.now(),
        ...(printer ? { printerId } : {}),
        ...(computer ? { computerId } : {}),
      })
      const state = JOB_STATES[(n * 5) % 8] ?? 'queued'
      await jobs.force(id, state)
      all.push({ id, state, printer, computer, source, at: jobs.clock.now() })
    }
    await untilSettled(jobs.pool)
    return { jobs, printerId, computerId, all }
  }

  test('each of them, and several together, find what passes them all, in both directions and over all pages', async () => {
    const { jobs, printerId, computerId, all } = await startWithJobs()
    const [from, before] = [all[10]?.at ?? new Date(), all[40]?.at ?? new Date()]
    const createdFrom = timestampFromDate(from)
    const createdBefore = timestampFromDate(before)
    type One = (typeof all)[number]
    const cases: [Asked, (one: One) => boolean][] = [
      [{}, () => true],
      [{ states: ['done'] }, ({ state }) => state === 'done'],
      [{ states: ['done', 'error', 'queued'] }, ({ state }) => ['done', 'error', 'queued'].includes(state)],
      [{ printerId }, ({ printer }) => printer],
      [{ computerId }, ({ computer }) => computer],
      [{ source: 'shop' }, ({ source }) => source === 'shop'],
      // The one is in, the other out.
      [{ createdFrom }, ({ at }) => at >= from],
      [{ createdBefore }, ({ at }) => at < before],
      [{ createdFrom, createdBefore }, ({ at }) => at >= from && at < before],
      [{ printerId, computerId, source: 'api' }, (one) => one.printer && one.computer && one.source === 'api'],
      [
        { states: ['queued', 'cancelled'], printerId, createdFrom },
        (one) => ['queued', 'cancelled'].includes(one.state) && one.printer && one.at >= from,
      ],
      [{ printerId: uuidv7() }, () => false],
      [{ createdFrom: timestampFromDate(new Date('2090-01-01')) }, () => false],
      [{ createdBefore: timestampFromDate(new Date('1990-01-01')) }, () => false],
    ]
    for (const [asked, passes] of cases) {
      const expected = all.filter(passes).map(({ id }) => id)
      expect(await walk(jobs, asked, true)).toEqual(expected)
      expect(await walk(jobs, asked, false)).toEqual(expected.toReversed())
    }
  })

  test('times hold by the millisecond, also for jobs that were committed minutes out of order', async () => {
    const jobs = await startTestJobs()
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const minute = 60_000
    const times = [0, 4 * minute, 1, minute, 4 * minute + 1, 2 * minute]
    const added: { id: string; ms: number }[] = []
    for (const ms of times) added.push({ ms, id: await jobs.addJob({ ...tenant, createdAt: at(ms) }) })
    await untilSettled(jobs.pool)
    for (const ms of [0, 1, 2, minute, 4 * minute, 4 * minute + 1, 4 * minute + 2]) {
      const later = added.filter((one) => one.ms >= ms).map(({ id }) => id)
      expect(await walk(jobs, { createdFrom: timestampFromDate(at(ms)) }, true)).toEqual(later)
      const earlier = added.filter((one) => one.ms < ms).map(({ id }) => id)
      expect(await walk(jobs, { createdBefore: timestampFromDate(at(ms)) }, true)).toEqual(earlier)
    }
  })
})
