/** Jobs that are created together, and printed without other jobs between them. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AgentTrigger,
  CancelBatchRequestSchema,
  CreateBatchRequestSchema,
  GetIdempotencyKeyRequestSchema,
  ListJobsRequestSchema,
  ReleaseJobRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { readJobDetails } from '../../job-details.ts'
import { cancelBatch } from '../../rpc/cancel-batch.ts'
import { createBatch } from '../../rpc/create-batch.ts'
import { getIdempotencyKey } from '../../rpc/get-idempotency-key.ts'
import { listJobs } from '../../rpc/list-jobs.ts'
import { releaseJob } from '../../rpc/release-job.ts'
import { releaseScheduled } from '../../timers/release-scheduled.ts'
import { sweepOldRows } from '../../timers/sweep-old-rows.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { type CreationFacts, createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

async function start(mode = 'live') {
  const jobs = await startTestJobs()
  const agent = createTestAgent(jobs)
  await agent.hello(1n)
  const tenant = { organizationId: uuidv7(), mode }
  const printerId = uuidv7()
  const claimed: string[] = []
  const msecs = () => jobs.clock.now().getTime()
  const creation = (facts: CreationFacts = {}) =>
    jobCreation(jobs, { ...tenant, computerId: agent.computerId, printerId, ...facts })
  const send = (creations: CreationFacts[], facts: object = {}) => {
    const seq = Math.floor(Math.random() * 2 ** 30)
    const all = creations.map((one, n) => creation({ jobId: uuidv7({ msecs: msecs(), seq: seq + n }), ...one }))
    return createBatch(jobs, create(CreateBatchRequestSchema, { batchId: uuidv7(), creations: all, ...facts }))
  }
  return {
    ...{ jobs, agent, tenant, printerId, creation, send },
    add: async (facts: CreationFacts = {}) => (await createOneJob(jobs, creation(facts))).id,
    /** @returns the ids of its jobs. */
    async addBatch(creations: CreationFacts[], facts?: object) {
      const { result } = await send(creations, facts)
      if (result.case !== 'batch') throw new Error(JSON.stringify(result.value))
      return result.value.jobs.map(({ id }) => id)
    },
    getBatchId: async (jobId: string) => String((await jobs.row(jobId, 'batch_id')).batch_id),
    count: async () =>
      (await jobs.pool.query('SELECT FROM jobs.job WHERE organization_id = $1', [tenant.organizationId])).rowCount,
    release: (jobId: string) => releaseJob(jobs, create(ReleaseJobRequestSchema, { ...tenant, jobId })),
    /** @returns what was not claimed before. */
    async claim(limit = 100) {
      const ids = await agent.claimIds(1n, { claimedJobIds: claimed, limit })
      claimed.push(...ids)
      return ids
    },
    acknowledge: (jobId: string) => agent.report(jobId, AgentTrigger.ACKNOWLEDGE),
  }
}

const many = (count: number, facts: CreationFacts = {}) => Array.from({ length: count }, () => facts)

test('the jobs of a batch have its id, numbers in a row and their place between the jobs before and after', async () => {
  proves('batch.order')
  const { jobs, tenant, add, addBatch, getBatchId, claim } = await start()
  const before = await add()
  const batch = await addBatch([{ title: 'a', metadata: { order: '7' } }, { title: 'b' }, { title: 'c' }])
  const after = await add()
  const rows = await Promise.all(batch.map((id) => jobs.row(id, 'batch_id, number, title')))
  expect(new Set(rows.map(({ batch_id }) => batch_id)).size).toBe(1)
  expect(rows.map(({ number, title }) => [number, title])).toEqual([
    [2, 'a'],
    [3, 'b'],
    [4, 'c'],
  ])
  expect(await claim()).toEqual([before, ...batch, after])
  const batchId = await getBatchId(batch[0] ?? '')
  for (const facts of [{}, { metadata: { order: '7' } }]) {
    const request = { ...tenant, batchId, page: { limit: 100 }, ...facts }
    const found = (await listJobs(jobs, create(ListJobsRequestSchema, request))).jobs.map(({ id }) => id)
    expect(found).toEqual('metadata' in facts ? batch.slice(0, 1) : batch.toReversed())
  }
  const { rows: events } = await jobs.pool.query<{ batchId: string }>(
    `SELECT body::jsonb -> 'data' ->> 'batchId' AS "batchId" FROM jobs.event_log
     WHERE organization_id = $1 AND type = 'printjob.queued' ORDER BY number`,
    [tenant.organizationId],
  )
  expect(events.map((event) => event.batchId)).toEqual([null, ...many(3).map(() => batchId), null])
})

test('one refusal refuses the batch, names its job and creates and counts nothing', async () => {
  proves('batch.all')
  const { send, creation, count, add } = await start()
  const reprint: CreationFacts = { document: { case: 'reprintOf', value: uuidv7() } }
  const { result } = await send([{}, {}, reprint])
  expect(result.value).toMatchObject({ index: 2, refusal: { code: 'not_found', param: 'reprintOf' } })
  // One of 4 prints is used, so the fourth job of a batch is one too many.
  await add({ printsLimit: 4 })
  const refused = await send(many(4, { printsLimit: 4 }))
  expect(refused.result.value).toMatchObject({ index: 3, refusal: { code: 'quota_exceeded' } })
  expect(await count()).toBe(1)
  expect((await send(many(3, { printsLimit: 4 }))).result.case).toBe('batch')
  expect(await count()).toBe(4)
  expect((await send([{ printsLimit: 4 }])).result.value).toMatchObject({ index: 0 })
  // A batch without a limit counts for a later one.
  expect((await send([{}])).result.case).toBe('batch')
  expect((await send([{ printsLimit: 5 }])).result.value).toMatchObject({ index: 0 })
  expect(await count()).toBe(5)
  await expect(send([{}, { organizationId: creation().jobId }])).rejects.toMatchObject({ code: 'invalid_request' })
  for (const count of [0, 101]) await expect(send(many(count))).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a batch of test jobs counts as its jobs', async () => {
  proves('batch.counts')
  const { send, count } = await start('test')
  for (let n = 0; n < 5; n++) await send(many(99))
  expect((await send(many(6))).result.value).toMatchObject({ index: 5, refusal: { code: 'test_mode_daily_cap' } })
  expect((await send(many(5))).result.case).toBe('batch')
  expect(await count()).toBe(500)
})

test('a repetition with the key of a batch gets the same batch, another body the conflict', async () => {
  proves('batch.idempotency')
  const { jobs, tenant, send, count } = await start()
  const keyed = (hash: string) => ({ idempotency: { key: 'k', bodyHashes: [Buffer.from(hash)] } })
  const first = await send(many(3), keyed('one'))
  const [second, third] = await Promise.all([send(many(3), keyed('one')), send(many(3), keyed('one'))])
  expect(first.replayed).toBe(false)
  for (const repeated of [second, third])
    expect(repeated).toMatchObject({ replayed: true, result: { value: { jobs: toIds(first) } } })
  await expect(send(many(3), keyed('two'))).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  const request = create(GetIdempotencyKeyRequestSchema, { ...tenant, ...keyed('one') })
  expect(await getIdempotencyKey(jobs, request)).toMatchObject({ batch: { jobs: toIds(first) } })
  expect(await count()).toBe(3)
})

const toIds = ({ result }: Awaited<ReturnType<typeof createBatch>>) =>
  result.case === 'batch' ? result.value.jobs.map(({ id }) => ({ id })) : []

test('a call that is repeated with the same ids changes nothing, and concurrent ones create one batch', async () => {
  const { jobs, creation, count } = await start()
  const request = create(CreateBatchRequestSchema, { batchId: uuidv7(), creations: [creation(), creation()] })
  const results = await Promise.all([createBatch(jobs, request), createBatch(jobs, request)])
  results.push(await createBatch(jobs, request))
  for (const { result, replayed } of results) expect([result.case, replayed]).toEqual(['batch', false])
  expect(await count()).toBe(2)
})

test('no other job comes between the jobs of a batch, also if it is released or returned meanwhile', async () => {
  proves('batch.between')
  const { jobs, add, addBatch, release, claim, acknowledge } = await start()
  const [held, other] = [await add({ hold: true }), await add({ hold: true, printerId: uuidv7() })]
  const batch = await addBatch(many(3))
  const after = await add()
  expect(await claim(1)).toEqual(batch.slice(0, 1))
  await acknowledge(batch[0] ?? '')
  await release(held)
  await release(other)
  const readQueue = async () => (await readJobDetails(jobs, { id: held }))?.details.queue
  expect(await readQueue()).toMatchObject({ batchBegun: true })
  // A job at another printer of the computer waits for none.
  expect(await claim(2)).toEqual([other, batch[1]])
  expect(await claim()).toEqual([batch[2], after])
  expect(await readQueue()).toMatchObject({ batchBegun: false })
  expect(await claim()).toEqual([held])
})

test('jobs of the batch that wait for a destination or are of another printer keep no job of the printer back', async () => {
  const { jobs, add, addBatch, release, claim } = await start()
  const held = await add({ hold: true })
  const elsewhere = { printerId: uuidv7(), computerId: uuidv7() }
  const [own, waiting = ''] = await addBatch([{}, { destinationId: uuidv7() }, elsewhere])
  expect(await claim()).toEqual([own])
  await release(held)
  expect((await readJobDetails(jobs, { id: held }))?.details.queue).toMatchObject({ batchBegun: false })
  expect(await claim()).toEqual([held])
  expect(await jobs.getState(waiting)).toBe('queued')
})

test('a job of a batch that fails or is cancelled does not stop the others; a fetch is waited for', async () => {
  proves('batch.failed')
  const { jobs, agent, tenant, add, addBatch, getBatchId, claim, acknowledge } = await start()
  const batch = await addBatch(many(3))
  const setFetching = (fetching: boolean) =>
    jobs.pool.query('UPDATE jobs.job SET fetching = $2 WHERE id = $1', [batch[1], fetching])
  await setFetching(true)
  const after = await add()
  expect(await claim()).toEqual(batch.slice(0, 1))
  await acknowledge(batch[0] ?? '')
  await agent.report(batch[0] ?? '', AgentTrigger.FAIL)
  expect(await claim()).toEqual([])
  const queue = (await readJobDetails(jobs, { id: batch[2] ?? '' }))?.details.queue
  expect(queue).toMatchObject({ position: 2, batchBefore: 1 })
  await jobs.force(batch[1] ?? '', 'error')
  await setFetching(false)
  expect(await claim()).toEqual([batch[2], after])
  const request = create(CancelBatchRequestSchema, {
    ...tenant,
    batchId: await getBatchId(batch[0] ?? ''),
    actor: 'api',
  })
  expect(await cancelBatch(jobs, request)).toEqual({ cancelled: 1, notCancelled: 2 })
  expect(await cancelBatch(jobs, request)).toEqual({ cancelled: 0, notCancelled: 3 })
  expect(await jobs.getState(after)).toBe('sent')
  for (const by of [{ mode: 'test' }, { organizationId: uuidv7() }, { batchId: uuidv7() }])
    await expect(cancelBatch(jobs, create(CancelBatchRequestSchema, { ...request, ...by }))).rejects.toMatchObject({
      code: 'not_found',
    })
})

test('a batch is held, released and scheduled as a whole', async () => {
  proves('batch.held')
  const { jobs, addBatch, release, claim } = await start()
  const held = await addBatch(many(3, { hold: true }))
  expect(await claim()).toEqual([])
  await release(held[1] ?? '')
  expect(jobs.announced).toEqual(expect.arrayContaining(held))
  expect(await claim()).toEqual(held)
  const time = timestampFromDate(new Date(jobs.clock.now().getTime() + 60_000))
  const scheduled = await addBatch(many(100, { notBefore: time }))
  jobs.advance(60)
  await Promise.all([releaseScheduled(jobs), releaseScheduled(jobs)])
  expect(await claim()).toEqual(scheduled)
})

test('the statement that releases a part of a scheduled batch releases all of it', async () => {
  const { jobs, add, addBatch, getBatchId } = await start()
  const time = timestampFromDate(new Date(jobs.clock.now().getTime() + 60_000))
  const single = await add({ notBefore: time })
  await copyJob(jobs.pool, single, 949)
  // The 1,000 jobs of a statement end within the batch.
  const { organization_id } = await jobs.row(single)
  await jobs.pool.query(
    `UPDATE jobs.job SET id = ('00000000' || right(id::text, 28))::uuid WHERE organization_id = $1`,
    [organization_id],
  )
  const batch = await addBatch(many(100, { notBefore: time }))
  jobs.advance(60)
  let calls = 0
  const query = (...args: unknown[]) => {
    if (calls++ > 0) throw new Error('stopped')
    return (jobs.pool.query as (...all: unknown[]) => Promise<unknown>)(...args)
  }
  await expect(releaseScheduled({ ...jobs, pool: { query } as unknown as typeof jobs.pool })).rejects.toThrow('stopped')
  const { rows } = await jobs.pool.query('SELECT FROM jobs.job WHERE batch_id = $1 AND state_reasons = $2', [
    await getBatchId(batch[0] ?? ''),
    '{}',
  ])
  expect(rows).toHaveLength(100)
})

test('the mark of a batch that has begun is deleted when its jobs have ended', async () => {
  const { jobs, printerId, addBatch, claim } = await start()
  const [only = ''] = await addBatch([{}])
  const readMarks = async () =>
    (await jobs.pool.query('SELECT FROM jobs.begun_batch WHERE printer_id = $1', [printerId])).rowCount
  expect(await readMarks()).toBe(0)
  await claim()
  await sweepOldRows(jobs)
  expect(await readMarks()).toBe(1)
  await jobs.force(only, 'done')
  await sweepOldRows(jobs)
  expect(await readMarks()).toBe(0)
})
