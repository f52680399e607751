import { create } from '@bufbuild/protobuf'
import {
  AgentTrigger,
  ClaimJobsRequestSchema,
  CreateJobRequestSchema,
  ReconcileComputerRequestSchema,
  RecordAgentUpdatesRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { claimJobs } from '../rpc/claim-jobs.ts'
import { createJob } from '../rpc/create-job.ts'
import { reconcileComputer } from '../rpc/reconcile-computer.ts'
import { recordAgentUpdates } from '../rpc/record-agent-updates.ts'
import { announceWaiting } from '../timers/announce-waiting.ts'
import { sweepExpired } from '../timers/sweep-expired.ts'
import { sweepUnacknowledged } from '../timers/sweep-unacknowledged.ts'
import { sampleJob, startTestJobs, type TestJobs } from './start-test-jobs.ts'

const computerId = uuidv7()
const RESEND_AFTER_MS = 60_000

async function claim(
  jobs: TestJobs,
  epoch: bigint,
  more: { heldPrinterIds?: string[]; claimedJobIds?: string[]; limit?: number } = {},
) {
  const request = create(ClaimJobsRequestSchema, { claims: [{ computerId, epoch, limit: 100, ...more }] })
  const answer = await claimJobs(jobs, request)
  return answer.jobs.map(({ jobId, attempt }) => ({ jobId, attempt }))
}

const hello = (jobs: TestJobs, epoch: bigint, heldJobIds: string[] = []) =>
  reconcileComputer(jobs, create(ReconcileComputerRequestSchema, { computerId, epoch, heldJobIds }))

async function say(jobs: TestJobs, jobId: string, trigger: AgentTrigger, facts: { attempt: number; epoch: bigint }) {
  const request = create(RecordAgentUpdatesRequestSchema, { updates: [{ jobId, computerId, trigger, ...facts }] })
  const { results } = await recordAgentUpdates(jobs, request)
  return { state: results[0]?.state, granted: results[0]?.granted }
}

test('waiting jobs are claimed in the order in which they were accepted', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push(await jobs.addJob({ computerId }))
  expect(await claim(jobs, 1n, { limit: 3 })).toEqual(ids.slice(0, 3).map((jobId) => ({ jobId, attempt: 1 })))
  const claimedJobIds = ids.slice(0, 3)
  expect(await claim(jobs, 1n, { claimedJobIds })).toEqual(ids.slice(3).map((jobId) => ({ jobId, attempt: 1 })))
})

test('a job is announced as soon as it is committed', async () => {
  const jobs = await startTestJobs()
  const { id: jobId, fileSizeBytes, createdAt, expiresAt, traceparent, ...sample } = sampleJob(jobs.clock.now())
  const { effectiveOptions, optionWarning, reprintOf, ...facts } = sample
  await createJob(
    jobs,
    create(CreateJobRequestSchema, { ...facts, jobId, fileSizeBytes: BigInt(fileSizeBytes), actor: 'api' }),
  )
  expect(jobs.announced).toEqual([jobId])
})

test('ten claims at once give no job to two of them', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const ids = await Promise.all(Array.from({ length: 50 }, () => jobs.addJob({ computerId })))
  const claims = await Promise.all(Array.from({ length: 10 }, () => claim(jobs, 1n, { claimedJobIds: ids, limit: 10 })))
  const rest = await claim(jobs, 1n, { claimedJobIds: ids })
  const claimed = [...claims.flat(), ...rest].map(({ jobId }) => jobId)
  expect(claimed.sort()).toEqual(ids.sort())
})

test('one call serves several computers, each by its own limit, stream and held printers', async () => {
  const jobs = await startTestJobs()
  const [first, second, overtaken, printerId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
  for (const [computerId, epoch] of [
    [first, 1n],
    [second, 4n],
    [overtaken, 2n],
  ] as const)
    await reconcileComputer(jobs, create(ReconcileComputerRequestSchema, { computerId, epoch }))
  const ofFirst = [await jobs.addJob({ computerId: first }), await jobs.addJob({ computerId: first })]
  await jobs.addJob({ computerId: second, printerId })
  const ofSecond = await jobs.addJob({ computerId: second })
  await jobs.addJob({ computerId: overtaken })
  const claims = [
    { computerId: first, epoch: 1n, limit: 1 },
    { computerId: second, epoch: 4n, limit: 10, heldPrinterIds: [printerId] },
    { computerId: overtaken, epoch: 1n, limit: 10 },
  ]
  const answer = await claimJobs(jobs, create(ClaimJobsRequestSchema, { claims }))
  expect(answer.jobs.map(({ computerId, jobId }) => [computerId, jobId])).toEqual([
    [first, ofFirst[0]],
    [second, ofSecond],
  ])
})

test('a call that names a computer twice is refused', async () => {
  const jobs = await startTestJobs()
  const claims = [
    { computerId, limit: 1 },
    { computerId, limit: 1 },
  ]
  await expect(claimJobs(jobs, create(ClaimJobsRequestSchema, { claims }))).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test('what was given back goes before what is sent again, since it was accepted before', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const ids: string[] = []
  for (let n = 0; n < 4; n++) ids.push(await jobs.addJob({ computerId }))
  await claim(jobs, 1n)
  await jobs.pool.query(`UPDATE jobs.job SET resend_count = 3 WHERE id = ANY($1)`, [[ids[0], ids[2]]])
  await hello(jobs, 2n)
  expect(await Promise.all(ids.map(jobs.stateOf))).toEqual(['queued', 'sent', 'queued', 'sent'])
  expect((await claim(jobs, 2n)).map(({ jobId }) => jobId)).toEqual(ids)
})

test('what a stream is given again without having known of it takes places of its limit, and what it knew does not', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const ids: string[] = []
  for (let n = 0; n < 12; n++) ids.push(await jobs.addJob({ computerId }))
  const idsOf = async (more: { claimedJobIds?: string[]; limit: number }) =>
    (await claim(jobs, 1n, more)).map(({ jobId }) => jobId)
  expect(await idsOf({ limit: 5 })).toEqual(ids.slice(0, 5))
  expect(await idsOf({ limit: 8 })).toEqual(ids.slice(0, 8))
  expect(await idsOf({ limit: 8 })).toEqual(ids.slice(0, 8))
  jobs.clock.advanceSeconds(60)
  await sweepUnacknowledged(jobs, RESEND_AFTER_MS)
  expect(await idsOf({ limit: 1, claimedJobIds: ids.slice(0, 8) })).toEqual(ids.slice(0, 9))
  expect(await jobs.stateOf(ids[9] ?? '')).toBe('queued')
})

test('jobs of a printer that is held stay queued', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const printerId = uuidv7()
  const held = await jobs.addJob({ computerId, printerId })
  const free = await jobs.addJob({ computerId })
  expect(await claim(jobs, 1n, { heldPrinterIds: [printerId] })).toEqual([{ jobId: free, attempt: 1 }])
  expect(await jobs.stateOf(held)).toBe('queued')
})

test('a job that is held expires like any other', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const printerId = uuidv7()
  const expiresAt = new Date(jobs.clock.now().getTime() + 60_000)
  const held = await jobs.addJob({ computerId, printerId, expiresAt })
  expect(await claim(jobs, 1n, { heldPrinterIds: [printerId] })).toEqual([])
  jobs.clock.advanceSeconds(60)
  await sweepExpired(jobs)
  expect(await jobs.stateOf(held)).toBe('expired')
})

test('a stream that is not the newest of its computer claims nothing and is granted nothing', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const id = await jobs.addJob({ computerId })
  await claim(jobs, 1n)
  await hello(jobs, 2n)
  const other = await jobs.addJob({ computerId })
  expect(await claim(jobs, 1n)).toEqual([])
  expect(await say(jobs, id, AgentTrigger.ACKNOWLEDGE, { attempt: 2, epoch: 1n })).toEqual({
    state: 'sent',
    granted: false,
  })
  expect(await claim(jobs, 2n)).toEqual([
    { jobId: id, attempt: 2 },
    { jobId: other, attempt: 1 },
  ])
})

test('a claim whose answer got lost is given the same jobs again', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const id = await jobs.addJob({ computerId })
  expect(await claim(jobs, 1n)).toEqual([{ jobId: id, attempt: 1 }])
  expect(await claim(jobs, 1n)).toEqual([{ jobId: id, attempt: 1 }])
  expect(await claim(jobs, 1n, { claimedJobIds: [id] })).toEqual([])
})

test('only an acknowledgement of the newest sending is granted, and again when it is repeated', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const id = await jobs.addJob({ computerId })
  await claim(jobs, 1n)
  jobs.clock.advanceSeconds(60)
  await sweepUnacknowledged(jobs, RESEND_AFTER_MS)
  expect(await say(jobs, id, AgentTrigger.ACKNOWLEDGE, { attempt: 1, epoch: 1n })).toEqual({
    state: 'sent',
    granted: false,
  })
  expect(await say(jobs, id, AgentTrigger.ACKNOWLEDGE, { attempt: 2, epoch: 1n })).toEqual({
    state: 'received',
    granted: true,
  })
  expect(await say(jobs, id, AgentTrigger.ACKNOWLEDGE, { attempt: 2, epoch: 1n })).toEqual({
    state: 'received',
    granted: true,
  })
})

test('what happened to paper is recorded whichever stream tells it, and repeated reports change nothing', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const id = await jobs.addJob({ computerId })
  await claim(jobs, 1n)
  await say(jobs, id, AgentTrigger.ACKNOWLEDGE, { attempt: 1, epoch: 1n })
  await hello(jobs, 2n, [id])
  const old = { attempt: 1, epoch: 1n }
  expect((await say(jobs, id, AgentTrigger.PRINT, old)).state).toBe('printing')
  expect((await say(jobs, id, AgentTrigger.PRINT, old)).state).toBe('printing')
  expect((await say(jobs, id, AgentTrigger.COMPLETE, old)).state).toBe('done')
  expect((await say(jobs, id, AgentTrigger.FAIL, old)).state).toBe('done')
  expect(await jobs.eventStates(id)).toEqual(['queued', 'sent', 'received', 'printing', 'done'])
})

test("a computer cannot speak of another computer's job", async () => {
  const jobs = await startTestJobs()
  const id = await jobs.addJob()
  expect(await say(jobs, id, AgentTrigger.FAIL, { attempt: 0, epoch: 0n })).toEqual({ state: '', granted: false })
  expect(await jobs.stateOf(id)).toBe('queued')
})

test('a job that nobody acknowledges is sent 4 times (1 + 3 resends), 60 s apart, then queued again', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const id = await jobs.addJob({ computerId })
  await claim(jobs, 1n)
  for (let resend = 1; resend <= 3; resend++) {
    jobs.clock.advanceSeconds(59)
    await sweepUnacknowledged(jobs, RESEND_AFTER_MS)
    expect(await claim(jobs, 1n, { claimedJobIds: [id] })).toEqual([])
    jobs.clock.advanceSeconds(1)
    await sweepUnacknowledged(jobs, RESEND_AFTER_MS)
    expect(await claim(jobs, 1n, { claimedJobIds: [id] })).toEqual([{ jobId: id, attempt: resend + 1 }])
  }
  expect(jobs.woken).toEqual([computerId, computerId, computerId])
  jobs.clock.advanceSeconds(60)
  await sweepUnacknowledged(jobs, RESEND_AFTER_MS)
  expect(await jobs.stateOf(id)).toBe('queued')
  expect(await jobs.eventStates(id)).toEqual(['queued', 'sent', 'sent', 'sent', 'sent', 'queued'])
  expect(await jobs.eventMessages(id)).toEqual([null, null, 'resend 1/3', 'resend 2/3', 'resend 3/3', null])
  expect((await jobs.eventActors(id)).slice(1)).toEqual(['system', 'system', 'system', 'system', 'system'])
})

test('a hello sends what the agent does not hold again at once, and leaves what it holds', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const lost = await jobs.addJob({ computerId })
  const held = await jobs.addJob({ computerId })
  await claim(jobs, 1n)
  await hello(jobs, 2n, [held])
  expect(await jobs.eventMessages(lost)).toEqual([null, null, 'resend 1/3'])
  expect(await jobs.eventStates(held)).toEqual(['queued', 'sent'])
})

/** A hello that has read `jobId` as it was, and comes to change it when it has been sent anew. */
async function helloOvertaken(jobs: TestJobs, epoch: bigint, jobId: string, resendCount: number): Promise<void> {
  const other = await jobs.pool.connect()
  await other.query('BEGIN')
  await other.query(`UPDATE jobs.job SET attempt = attempt + 1, resend_count = $2 WHERE id = $1`, [jobId, resendCount])
  const late = hello(jobs, epoch)
  await untilBlocked(jobs.pool)
  await other.query('COMMIT')
  other.release()
  await late
}

test.each([
  ['resent by a timer meanwhile is not resent a 4th time', { before: 2, meanwhile: 3 }],
  ['given back and claimed meanwhile keeps its new round', { before: 3, meanwhile: 0 }],
])('a job that a hello found lost and that was %s', async (_title, { before, meanwhile }) => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const id = await jobs.addJob({ computerId })
  await claim(jobs, 1n)
  await jobs.pool.query(`UPDATE jobs.job SET attempt = 4, resend_count = $2 WHERE id = $1`, [id, before])
  await helloOvertaken(jobs, 2n, id, meanwhile)
  const { rows } = await jobs.pool.query(`SELECT state, attempt, resend_count FROM jobs.job WHERE id = $1`, [id])
  expect(rows).toEqual([{ state: 'sent', attempt: 5, resend_count: meanwhile }])
  expect(await jobs.eventStates(id)).toEqual(['queued', 'sent'])
})

test('a job that was acknowledged and is unknown to its agent ends as unconfirmed, and is not printed again', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const id = await jobs.addJob({ computerId })
  await claim(jobs, 1n)
  await say(jobs, id, AgentTrigger.ACKNOWLEDGE, { attempt: 1, epoch: 1n })
  await hello(jobs, 2n)
  const { rows } = await jobs.pool.query(`SELECT state, state_reasons FROM jobs.job WHERE id = $1`, [id])
  expect(rows).toEqual([{ state: 'error', state_reasons: ['unconfirmed'] }])
})

test('an older hello that arrives late raises no fence', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 3n)
  await hello(jobs, 2n)
  const id = await jobs.addJob({ computerId })
  expect(await claim(jobs, 2n)).toEqual([])
  expect(await claim(jobs, 3n)).toEqual([{ jobId: id, attempt: 1 }])
})

test('a job that is not received in time expires, by the second, from queued and from sent', async () => {
  const jobs = await startTestJobs()
  await hello(jobs, 1n)
  const expiresAt = new Date(jobs.clock.now().getTime() + 60_000)
  const sent = await jobs.addJob({ computerId, expiresAt })
  await claim(jobs, 1n)
  const queued = await jobs.addJob({ expiresAt })
  const received = await jobs.addJob({ expiresAt })
  await jobs.force(received, 'received')
  jobs.clock.advanceSeconds(59)
  await sweepExpired(jobs)
  expect(await Promise.all([sent, queued, received].map(jobs.stateOf))).toEqual(['sent', 'queued', 'received'])
  jobs.clock.advanceSeconds(1)
  await sweepExpired(jobs)
  expect(await Promise.all([sent, queued, received].map(jobs.stateOf))).toEqual(['expired', 'expired', 'received'])
  for (const id of [sent, queued]) expect((await jobs.eventActors(id)).at(-1)).toBe('system')
  expect(await say(jobs, sent, AgentTrigger.ACKNOWLEDGE, { attempt: 1, epoch: 1n })).toEqual({
    state: 'expired',
    granted: false,
  })
})

test('computers with waiting jobs are announced again and again, each once', async () => {
  const jobs = await startTestJobs()
  await jobs.addJob({ computerId })
  await jobs.addJob({ computerId })
  await announceWaiting(jobs)
  await announceWaiting(jobs)
  expect(jobs.woken).toEqual([computerId, computerId])
})
