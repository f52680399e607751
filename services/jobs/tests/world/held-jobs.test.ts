/** Jobs that wait for their release or their time. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  CancelJobRequestSchema,
  ListPrinterQueuesRequestSchema,
  ListWaitingPrintersRequestSchema,
  ReleaseJobRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { readJobDetails } from '../../job-details.ts'
import { cancelJob } from '../../rpc/cancel-job.ts'
import { listPrinterQueues } from '../../rpc/list-printer-queues.ts'
import { listWaitingPrinters } from '../../rpc/list-waiting-printers.ts'
import { releaseJob } from '../../rpc/release-job.ts'
import { announceWaiting } from '../../timers/announce-waiting.ts'
import { releaseScheduled } from '../../timers/release-scheduled.ts'
import { sweepExpired } from '../../timers/sweep-expired.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

async function start() {
  const jobs = await startTestJobs()
  const agent = createTestAgent(jobs)
  await agent.hello(1n)
  const tenant = { organizationId: uuidv7(), mode: 'live' }
  const claimed: string[] = []
  const at = (seconds: number) => timestampFromDate(new Date(jobs.clock.now().getTime() + seconds * 1000))
  return {
    jobs,
    agent,
    organizationId: tenant.organizationId,
    at,
    add: async (facts: object = {}) => {
      const creation = jobCreation(jobs, { ...tenant, computerId: agent.computerId, ...facts })
      return (await createOneJob(jobs, creation)).id
    },
    release: (jobId: string, by = tenant) => releaseJob(jobs, create(ReleaseJobRequestSchema, { ...by, jobId })),
    /** @returns what was not claimed before. */
    async claim() {
      const ids = await agent.claimIds(1n, { claimedJobIds: claimed })
      claimed.push(...ids)
      return ids
    },
  }
}

test('a held job is claimed after its release, before jobs that were accepted later; others do not wait for it', async () => {
  proves('held.release', 'held.turn')
  const { jobs, add, release, claim } = await start()
  const held = await add({ hold: true })
  expect(await jobs.row(held, 'state, state_reasons')).toEqual({ state: 'queued', state_reasons: ['held'] })
  const other = await add()
  expect(await claim()).toEqual([other])
  const later = await add()
  expect((await release(held)).job).toMatchObject({ state: 'queued', stateReasons: [] })
  expect(jobs.announced).toContain(held)
  expect(await claim()).toEqual([held, later])
})

test('a release is repeatable, changes no job that is not held, and finds no job of another organization or mode', async () => {
  proves('held.release.other')
  const { jobs, organizationId, add, release, claim } = await start()
  const [held, other] = [await add({ hold: true }), await add({ hold: true })]
  for (const by of [
    { organizationId: uuidv7(), mode: 'live' },
    { organizationId, mode: 'test' },
  ])
    await expect(release(held, by)).rejects.toMatchObject({ code: 'not_found' })
  expect(await claim()).toEqual([])
  for (let n = 0; n < 2; n++) expect((await release(held)).job).toMatchObject({ state: 'queued', stateReasons: [] })
  expect(jobs.announced.filter((id) => [held, other].includes(id))).toEqual([held])
  expect(await claim()).toEqual([held])
  expect((await release(held)).job).toMatchObject({ state: 'sent' })
})

test('a release that waits for a cancel does not announce the job', async () => {
  const { jobs, organizationId, add, release } = await start()
  const held = await add({ hold: true })
  jobs.announced.length = 0
  const commit = await holdTransaction(jobs.pool, async (client) => {
    const cancel = create(CancelJobRequestSchema, { organizationId, mode: 'live', jobId: held, actor: 'api' })
    await cancelJob({ ...jobs, pool: client as unknown as Pool }, cancel)
  })
  const releasing = release(held)
  await untilBlocked(jobs.pool)
  await commit()
  expect((await releasing).job).toMatchObject({ state: 'cancelled' })
  expect(jobs.announced).toEqual([])
})

test('a scheduled job is claimed once its time has come, and its computer is woken then; `expireAfter` counts from it', async () => {
  proves('scheduled.time', 'scheduled.expiry')
  const { jobs, agent, add, at, claim } = await start()
  const job = await add({ notBefore: at(3600), expireAfterSeconds: 60 })
  expect(await jobs.row(job, 'state_reasons')).toEqual({ state_reasons: ['scheduled'] })
  const woken = () => jobs.timesWoken(agent.computerId)
  const before = woken()
  jobs.advance(3599)
  await releaseScheduled(jobs)
  await announceWaiting(jobs)
  await sweepExpired(jobs)
  expect([await claim(), woken()]).toEqual([[], before])
  jobs.advance(1)
  await releaseScheduled(jobs)
  expect(jobs.announced).toContain(job)
  jobs.advance(58)
  await sweepExpired(jobs)
  expect(await claim()).toEqual([job])
  expect(await jobs.row(job, 'state_reasons')).toEqual({ state_reasons: [] })
})

test('a time that has passed holds no job back; a held job with a time waits for both', async () => {
  proves('scheduled.past', 'held.scheduled')
  const { jobs, add, at, release, claim } = await start()
  const now = await add({ notBefore: at(-1) })
  const both = await add({ hold: true, notBefore: at(60) })
  expect(await claim()).toEqual([now])
  await release(both)
  expect(await claim()).toEqual([])
  jobs.advance(60)
  await releaseScheduled(jobs)
  expect(await claim()).toEqual([both])
})

test('a sweep releases all jobs whose time has come, also more than one statement does', async () => {
  const { jobs, add, at } = await start()
  const job = await add({ notBefore: at(60) })
  await copyJob(jobs.pool, job, 1_000)
  const readScheduled = async () =>
    (
      await jobs.pool.query(`SELECT FROM jobs.job WHERE organization_id = $1 AND state_reasons = '{scheduled}'`, [
        (await jobs.row(job)).organization_id,
      ])
    ).rowCount
  expect(await readScheduled()).toBe(1_001)
  jobs.advance(60)
  await releaseScheduled(jobs)
  expect(await readScheduled()).toBe(0)
})

test('a sweep releases and announces only jobs that are due, but none that has expired, or that is cancelled meanwhile', async () => {
  const { jobs, organizationId, add, at } = await start()
  const later = await add({ notBefore: at(3600) })
  const expired = await add({ notBefore: at(60), expireAfterSeconds: 60 })
  jobs.advance(120)
  await sweepExpired(jobs)
  const [due, cancelled] = [await add({ notBefore: at(1) }), await add({ notBefore: at(1) })]
  jobs.advance(1)
  jobs.announced.length = 0
  const commit = await holdTransaction(jobs.pool, async (client) => {
    const cancel = create(CancelJobRequestSchema, { organizationId, mode: 'live', jobId: cancelled, actor: 'api' })
    await cancelJob({ ...jobs, pool: client as unknown as Pool }, cancel)
  })
  const releasing = releaseScheduled(jobs)
  await untilBlocked(jobs.pool)
  await commit()
  await releasing
  expect(jobs.announced.filter((id) => [due, later, expired, cancelled].includes(id))).toEqual([due])
  const readShown = (id: string) => jobs.row(id, 'state, state_reasons AS reasons')
  expect(await Promise.all([due, later, expired, cancelled].map(readShown))).toEqual([
    { state: 'queued', reasons: [] },
    { state: 'queued', reasons: ['scheduled'] },
    { state: 'expired', reasons: ['scheduled'] },
    { state: 'cancelled', reasons: [] },
  ])
})

test('held jobs are in no queue: neither before others, nor among those that wait for long', async () => {
  const { jobs, agent, add, organizationId } = await start()
  const printerId = uuidv7()
  const held = await add({ hold: true, printerId })
  jobs.advance(1)
  const job = await add({ printerId })
  const readQueue = async (id: string) => (await readJobDetails(jobs, { id }))?.details.queue
  expect(await readQueue(job)).toMatchObject({ position: 1, length: 1, headJobId: job })
  expect(await readQueue(held)).toMatchObject({ length: 2 })
  const tenant = { organizationId, mode: 'live' }
  const { queues } = await listPrinterQueues(jobs, create(ListPrinterQueuesRequestSchema, tenant))
  expect(queues).toMatchObject([{ first: { id: job }, jobs: 1 }])
  const request = create(ListWaitingPrintersRequestSchema, { organizationIds: [organizationId] })
  const { printers } = await listWaitingPrinters(jobs, request)
  expect(printers).toMatchObject([{ printerId, computerId: agent.computerId, jobId: job }])
})

test('the printers whose jobs wait for long have one from before a time, in either mode; jobs that have ended or wait for a destination do not count', async () => {
  const { jobs, add, at, organizationId } = await start()
  const [live, other] = [uuidv7(), uuidv7()]
  // The call reads as many of a mode.
  await copyJob(jobs.pool, await add({ printerId: live }), 9_999)
  const inTest = (facts: object) => add({ mode: 'test', ...facts })
  await inTest({ printerId: other })
  await jobs.force(await inTest({}), 'done')
  await inTest({ destinationId: uuidv7() })
  const createdBefore = at(0)
  jobs.advance(1)
  await inTest({})
  const request = create(ListWaitingPrintersRequestSchema, { organizationIds: [organizationId], createdBefore })
  const { printers } = await listWaitingPrinters(jobs, request)
  expect(printers.map(({ mode, printerId }) => [mode, printerId])).toEqual([
    ['live', live],
    ['test', other],
  ])
  const { queues } = await listPrinterQueues(
    jobs,
    create(ListPrinterQueuesRequestSchema, { organizationId, mode: 'test' }),
  )
  expect(queues.map(({ jobs: count }) => count)).toEqual([1, 1])
  await jobs.pool.query('DELETE FROM jobs.job WHERE organization_id = $1', [organizationId])
})

test('a held job expires as others do', async () => {
  proves('held.expiry')
  const { jobs, add, release } = await start()
  const held = await add({ hold: true, expireAfterSeconds: 60 })
  jobs.advance(60)
  await sweepExpired(jobs)
  expect(await jobs.getState(held)).toBe('expired')
  expect((await release(held)).job).toMatchObject({ state: 'expired', stateReasons: ['held'] })
})
