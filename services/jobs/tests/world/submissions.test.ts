/** Jobs of IPP whose document follows: `ipp_submission`. */
import { create } from '@bufbuild/protobuf'
import { CreateJobsRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { NUMBER } from '@platen/resources/limits.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { createJobs } from '../../rpc/create-jobs.ts'
import { createSubmissions, WAIT_MS } from '../../rpc/create-submission.ts'
import { deleteOrganization } from '../../rpc/delete-organization.ts'
import { endSubmission } from '../../rpc/end-submission.ts'
import { extendSubmission } from '../../rpc/extend-submission.ts'
import { createSubmissionList } from '../../rpc/list-submissions.ts'
import { sweepSubmissions } from '../../timers/sweep-submissions.ts'
import { type CreationFacts, jobCreation, startTestJobs } from '../start-test-jobs.ts'

async function start() {
  const jobs = await startTestJobs()
  const [createSubmission, listSubmissions] = [createSubmissions(jobs), createSubmissionList(jobs)]
  const tenant = { organizationId: uuidv7(), mode: 'live' }
  const own = { ...tenant, createdBy: `print_access:${uuidv7()}` }
  const printerId = uuidv7()
  const createAll = async (...all: CreationFacts[]) => {
    const creations = all.map((facts) => jobCreation(jobs, { ...own, interface: 'ipp', ...facts }))
    const { results } = await createJobs(jobs, create(CreateJobsRequestSchema, { creations }))
    return results.map(({ result }) => (result.case === 'job' ? result.value.number : result.value?.code))
  }
  return {
    jobs,
    own,
    createAll,
    begin: async (id: string = uuidv7(), facts = {}) => {
      const request = { ...own, id, printerId, title: 'Report', ...facts }
      const { submission } = await createSubmission(request as never)
      return { id, number: submission.number }
    },
    list: async (facts = {}) => (await listSubmissions({ ...own, ...facts } as never)).submissions,
    extend: async (id: string) => (await extendSubmission(jobs, { ...own, id } as never)).isOpen,
    end: async (id: string, reason = 'cancelled') => (await endSubmission(jobs, { ...own, id, reason } as never)).ended,
  }
}

test('a submission has the next number, which its job keeps, and no other job has it', async () => {
  const { begin, createAll, list } = await start()
  expect(await createAll({})).toEqual([1])
  const { id, number } = await begin()
  expect(number).toBe(2)
  expect(await createAll({})).toEqual([3])
  expect(await createAll({}, { jobId: id, submitted: true }, {})).toEqual([4, 2, 5])
  expect(await list()).toEqual([])
  // A job that does not say that it is of one.
  expect(await createAll({ jobId: (await begin()).id, metadata: { a: 'b' } })).toEqual([7])
})

test('a repeated begin takes no number, and a document that is sent twice makes one job', async () => {
  const { begin, createAll } = await start()
  const id = uuidv7()
  expect([(await begin(id)).number, (await begin(id)).number]).toEqual([1, 1])
  expect(await createAll({ jobId: id, submitted: true })).toEqual([1])
  expect(await createAll({ jobId: id, submitted: true })).toEqual([1])
  expect(await createAll({})).toEqual([2])
})

test('a document that is sent twice at once makes one job, and both calls get it', async () => {
  const { begin, createAll } = await start()
  for (let n = 1; n <= 20; n++) {
    const submitted = { jobId: (await begin()).id, submitted: true }
    expect(await Promise.all([createAll(submitted), createAll(submitted)])).toEqual([[n], [n]])
  }
})

test('submissions that begin together have the next numbers of their organization and mode, and each is found by its own', async () => {
  const { begin, list } = await start()
  const [test, other] = [{ mode: 'test' }, { organizationId: uuidv7() }]
  const all = [begin(), begin(), begin(uuidv7(), test), begin(), begin(uuidv7(), other), begin()]
  const begun = await Promise.all(all)
  expect(begun.map(({ number }) => number)).toEqual([1, 2, 1, 3, 1, 4])
  const sought = [
    { number: 3 },
    { number: 1, ...test },
    { number: 1, ...other },
    { number: 5 },
    { number: 1, printerId: uuidv7() },
  ]
  const found = await Promise.all(sought.map(list))
  expect(found.map((ones) => ones.map(({ id }) => id))).toEqual([
    [begun[3]?.id],
    [begun[2]?.id],
    [begun[4]?.id],
    [],
    [],
  ])
})

test('a begin that is repeated at once gets the same number', async () => {
  const { jobs, own, begin } = await start()
  await begin()
  const id = uuidv7()
  const client = await jobs.pool.connect()
  await client.query('BEGIN')
  const beginFirst = createSubmissions({ ...jobs, pool: client as unknown as Pool })
  const { submission } = await beginFirst({ ...own, id, printerId: uuidv7(), title: 'Report' } as never)
  const again = begin(id)
  await untilBlocked(jobs.pool)
  await client.query('COMMIT')
  client.release()
  expect((await again).number).toBe(submission.number)
})

test('the first job of an organization can be one of a submission', async () => {
  const { begin, createAll } = await start()
  const [first, second] = [await begin(), await begin()]
  expect(
    await createAll({ jobId: second.id, submitted: true }, { jobId: first.id, submitted: true, metadata: { a: 'b' } }),
  ).toEqual([2, 1])
})

describe('a submission ends', () => {
  test('if it is cancelled, and then becomes no job', async () => {
    const { begin, end, createAll, list } = await start()
    const { id } = await begin()
    expect([await end(id), await end(id, 'interrupted')]).toEqual([true, false])
    expect(await createAll({ jobId: id, submitted: true }, {})).toEqual(['not_found', 2])
    expect(await list()).toMatchObject([{ id, number: 1, endReason: 'cancelled' }])
    expect(await list({ openOnly: true })).toEqual([])
  })

  test('60 s after its begin without a document, also before the sweep, and is listed for 7 days', async () => {
    const { jobs, begin, extend, list, createAll } = await start()
    const { id } = await begin()
    jobs.advance(WAIT_MS / 1000 - 1)
    expect((await list())[0]?.endReason).toBeUndefined()
    jobs.advance(1)
    const ended = { id, endReason: 'interrupted', endedAt: expect.anything() }
    expect(await list()).toMatchObject([ended])
    expect(await extend(id)).toBe(false)
    expect(await createAll({ jobId: id, submitted: true })).toEqual(['not_found'])
    await sweepSubmissions(jobs)
    expect(await list()).toMatchObject([ended])
    jobs.advance(7 * 24 * 60 * 60 - 1)
    await sweepSubmissions(jobs)
    expect(await list()).toHaveLength(1)
    jobs.advance(1)
    await sweepSubmissions(jobs)
    expect(await list()).toEqual([])
  })

  test('120 s after its document was last seen to arrive', async () => {
    const { jobs, begin, extend, createAll } = await start()
    const { id } = await begin()
    for (let n = 0; n < 3; n++) {
      jobs.advance(119 - 60 * Number(n === 0))
      expect(await extend(id)).toBe(true)
    }
    jobs.advance(120)
    expect(await extend(id)).toBe(false)
    await sweepSubmissions(jobs)
    expect(await createAll({ jobId: id, submitted: true })).toEqual(['not_found'])
  })

  test('or becomes a job, if both happen at once, never both', async () => {
    const { begin, end, createAll } = await start()
    for (let n = 0; n < 20; n++) {
      const { id } = await begin()
      const [ended, [created]] = await Promise.all([end(id), createAll({ jobId: id, submitted: true })])
      expect(created).toBe(ended ? 'not_found' : n + 1)
    }
  })
})

test('a print access can have 20 open ones, and sees and ends no others', async () => {
  proves('ipp.limits.20')
  const { jobs, begin, own, end, list } = await start()
  const first = await begin()
  for (let n = 1; n < 19; n++) await begin()
  // Only one of the two has room.
  const [last, refused] = await Promise.allSettled([begin(), begin()])
  expect([last.status, refused]).toMatchObject(['fulfilled', { reason: { code: 'rate_limited' } }])
  const other = { ...own, createdBy: `print_access:${uuidv7()}` }
  expect(await list(other)).toEqual([])
  expect(await list({ ...other, number: first.number })).toEqual([])
  expect(await endSubmission(jobs, { ...other, id: first.id, reason: 'cancelled' } as never)).toEqual({ ended: false })
  await end(first.id)
  expect((await begin()).number).toBe(21)
  // Nothing has swept the others.
  jobs.advance(WAIT_MS / 1000)
  expect((await begin()).number).toBe(22)
})

test('no submission begins after the last number', async () => {
  const { jobs, own, begin } = await start()
  await begin()
  const setLast = 'UPDATE jobs.job_number SET last = $2 WHERE organization_id = $1'
  await jobs.pool.query(setLast, [own.organizationId, NUMBER.max - 1])
  expect((await begin()).number).toBe(NUMBER.max)
  await expect(begin()).rejects.toMatchObject({ code: 'rate_limited' })
})

test('of the ended ones of a print access the newest 1,000 stay', async () => {
  const { jobs, own, list, begin } = await start()
  const sql = `INSERT INTO jobs.ipp_submission (id, organization_id, mode, number, printer_id, created_by, title,
      options, created_at, expires_at, ended_at)
    SELECT uuidv7(), $1, 'live', n, uuidv7(), $2, 'a', '{}', now(), now(), $3 FROM generate_series($4::int, $5) AS n`
  const insert = (createdBy: string, from: number, to: number, endedAt: Date | null = jobs.clock.now()) =>
    jobs.pool.query(sql, [own.organizationId, createdBy, endedAt, from, to])
  const other = { createdBy: `print_access:${uuidv7()}` }
  await insert(own.createdBy, 11, 1011)
  await insert(other.createdBy, 11, 1010)
  await insert(own.createdBy, 5, 5, null)
  await insert(own.createdBy, 2000, 2000, null)
  await Promise.all([begin(), begin(uuidv7(), other)])
  expect(await list({ number: 11 })).toEqual([])
  for (const number of [5, 12, 1011, 2000]) expect(await list({ number })).toHaveLength(1)
  expect(await list({ ...other, number: 11 })).toHaveLength(1)
})

test('a deleted organization leaves none', async () => {
  const { jobs, own, begin } = await start()
  await begin()
  const { removed } = await deleteOrganization(jobs, { delete: async () => undefined }, own as never)
  expect(removed).toMatchObject({ ipp_submission: 1 })
})
