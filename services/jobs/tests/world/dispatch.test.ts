import { create } from '@bufbuild/protobuf'
import {
  AgentTrigger,
  CancelJobRequestSchema,
  ClaimJobsRequestSchema,
  RecordAgentUpdatesRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import type { QueryConfig } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { BATCH } from '../../change-in-batches.ts'
import { changeStates, requestedChanges } from '../../change-state.ts'
import { readJobDetails } from '../../job-details.ts'
import { cancelJob } from '../../rpc/cancel-job.ts'
import { claimJobs } from '../../rpc/claim-jobs.ts'
import { recordAgentUpdates } from '../../rpc/record-agent-updates.ts'
import { announceWaiting } from '../../timers/announce-waiting.ts'
import { sweepExpired } from '../../timers/sweep-expired.ts'
import { sweepUnacknowledged } from '../../timers/sweep-unacknowledged.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { createOneJob, jobCreation, startOwnTestJobs, startTestJobs } from '../start-test-jobs.ts'

const { ACKNOWLEDGE, PRINT, COMPLETE, FAIL } = AgentTrigger

/** Jobs with an agent after its hello, and what a minute without acknowledgement does. */
async function start() {
  const jobs = await startTestJobs()
  const agent = createTestAgent(jobs)
  await agent.hello(1n)
  async function pass(seconds: number): Promise<void> {
    jobs.advance(seconds)
    await sweepUnacknowledged(jobs, 60_000)
  }
  return { jobs, agent, pass }
}

const firstAttempts = (ids: string[]) => ids.map((jobId) => ({ jobId, attempt: 1 }))

test('ten claims at once return each job once', async () => {
  const { agent } = await start()
  const ids = await agent.addJobs(50)
  const claims = await Promise.all(
    Array.from({ length: 10 }, () => agent.claimIds(1n, { claimedJobIds: ids, limit: 10 })),
  )
  const others = await agent.claimIds(1n, { claimedJobIds: ids })
  expect([...claims.flat(), ...others].sort()).toEqual(ids.sort())
})

test('one call serves several computers, each by its own limit, stream and held printers', async () => {
  const { jobs, agent: first } = await start()
  const [second, overtaken, printerId] = [createTestAgent(jobs), createTestAgent(jobs), uuidv7()]
  await second.hello(4n)
  await overtaken.hello(2n)
  const [ofFirst] = await first.addJobs(2)
  await second.addJob({ printerId })
  const ofSecond = await second.addJob()
  await overtaken.addJob()
  const claims = [
    { computerId: first.computerId, epoch: 1n, limit: 1 },
    { computerId: second.computerId, epoch: 4n, limit: 10, blockedPrinterIds: [printerId] },
    { computerId: overtaken.computerId, epoch: 1n, limit: 10 },
  ]
  const answer = await claimJobs(jobs, create(ClaimJobsRequestSchema, { claims }))
  expect(answer.jobs.map(({ computerId, jobId }) => [computerId, jobId])).toEqual([
    [first.computerId, ofFirst],
    [second.computerId, ofSecond],
  ])
  const twice = create(ClaimJobsRequestSchema, { claims: [...claims, ...claims] })
  await expect(claimJobs(jobs, twice)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('requeued jobs and resends go out in the order of acceptance', async () => {
  proves('fifo.resend')
  const { jobs, agent } = await start()
  const ids = await agent.addJobs(4)
  await agent.claim(1n)
  await jobs.pool.query('UPDATE jobs.job SET resend_count = 3 WHERE id = ANY($1)', [[ids[0], ids[2]]])
  await agent.hello(2n)
  expect(await Promise.all(ids.map(jobs.getState))).toEqual(['queued', 'sent', 'queued', 'sent'])
  expect(await agent.claimIds(2n)).toEqual(ids)
})

test('a claim returns jobs in the order of acceptance, those of a lost answer again; only jobs that the stream did not know count towards its limit', async () => {
  proves('fifo.accepted')
  const { jobs, agent, pass } = await start()
  const ids = await agent.addJobs(12)
  expect(await agent.claimIds(1n, { limit: 5 })).toEqual(ids.slice(0, 5))
  for (let n = 0; n < 2; n++) expect(await agent.claim(1n, { limit: 8 })).toEqual(firstAttempts(ids.slice(0, 8)))
  await pass(60)
  expect(await agent.claimIds(1n, { limit: 1, claimedJobIds: ids.slice(0, 8) })).toEqual(ids.slice(0, 9))
  expect(await jobs.getState(ids[9] ?? '')).toBe('queued')
})

test('a job that is acknowledged while a claim repeats a lost answer is not sent again', async () => {
  const { jobs, agent } = await start()
  const jobId = await agent.jobIn('sent')
  const commit = await holdTransaction(jobs.pool, (client) =>
    changeStates(client, requestedChanges([{ jobId, trigger: 'acknowledge', actor: 'agent' }]), jobs.clock.now()),
  )
  const claimed = agent.claimIds(1n)
  await untilBlocked(jobs.pool)
  await commit()
  expect(await claimed).toEqual([])
})

test('a claim names the jobs of its stream that the agent need not acknowledge any more', async () => {
  const { jobs, agent } = await start()
  const [sent, received, expired] = [
    await agent.jobIn('sent'),
    await agent.jobIn('received'),
    await agent.jobIn('sent'),
  ]
  await jobs.force(expired, 'expired')
  expect((await agent.over(1n, [sent, received, expired])).sort()).toEqual([received, expired].sort())
})

test('a job of a held printer stays queued until it expires', async () => {
  proves('disabled.expires', 'offline.expires')
  const { jobs, agent } = await start()
  const printerId = uuidv7()
  const held = await agent.addJob({ printerId, expiresAt: new Date(jobs.clock.now().getTime() + 60_000) })
  const free = await agent.addJob()
  expect(await agent.claimIds(1n, { blockedPrinterIds: [printerId] })).toEqual([free])
  expect(await jobs.getState(held)).toBe('queued')
  jobs.advance(60)
  await sweepExpired(jobs)
  expect(await jobs.getState(held)).toBe('expired')
})

test('an older stream of a computer claims nothing and is granted nothing, also after a late hello', async () => {
  const { agent } = await start()
  const id = await agent.addJob()
  await agent.claim(1n)
  await agent.hello(2n)
  await agent.hello(1n, [id])
  const other = await agent.addJob()
  expect(await agent.claim(1n)).toEqual([])
  expect(await agent.report(id, ACKNOWLEDGE, { attempt: 2 })).toEqual({ state: 'sent', granted: false })
  expect(await agent.claim(2n)).toEqual([
    { jobId: id, attempt: 2 },
    { jobId: other, attempt: 1 },
  ])
})

test('only an acknowledgement of the newest attempt is granted, also when it is repeated', async () => {
  const { agent, pass } = await start()
  const id = await agent.addJob()
  await agent.claim(1n)
  await pass(60)
  expect(await agent.report(id, ACKNOWLEDGE)).toEqual({ state: 'sent', granted: false })
  for (let n = 0; n < 2; n++)
    expect(await agent.report(id, ACKNOWLEDGE, { attempt: 2 })).toEqual({ state: 'received', granted: true })
})

test('reports about paper count from every stream, and repeated reports change nothing', async () => {
  const { jobs, agent } = await start()
  const id = await agent.jobIn('received')
  await agent.hello(2n, [id])
  for (const [trigger, state] of [
    [PRINT, 'printing'],
    [PRINT, 'printing'],
    [COMPLETE, 'done'],
    [FAIL, 'done'],
  ] as const)
    expect((await agent.report(id, trigger)).state).toBe(state)
  expect(await jobs.eventStates(id)).toEqual(['queued', 'sent', 'received', 'printing', 'done'])
})

test("a computer cannot report on another computer's job, also in a call with reports of that computer", async () => {
  const { jobs, agent } = await start()
  const id = await jobs.addJob()
  expect(await agent.report(id, FAIL, { attempt: 0, epoch: 0n })).toEqual({ state: '', granted: false })
  expect(await jobs.getState(id)).toBe('queued')
  const other = createTestAgent(jobs)
  await other.hello(1n)
  const [one, two] = [await other.jobIn('received'), await other.jobIn('received')]
  const again = { trigger: ACKNOWLEDGE, attempt: 1, epoch: 1n }
  const updates = [
    { ...again, jobId: one, computerId: agent.computerId },
    { ...again, jobId: two, computerId: other.computerId },
  ]
  const { results } = await recordAgentUpdates(jobs, create(RecordAgentUpdatesRequestSchema, { updates }))
  expect(results).toMatchObject([
    { jobId: one, state: '', granted: false },
    { jobId: two, state: 'received', granted: true },
  ])
})

test('a job without acknowledgement is sent 4 times (1 + 3 resends), 60 s apart, then requeued', async () => {
  proves(
    'actor.system.requeue',
    'resend.message',
    'edge.sent.resend.sent',
    'edge.sent.requeue.queued',
    'resend.59s',
    'resend.60s',
    'resend.3',
    'resend.4',
    'requeue.event',
  )
  const { jobs, agent, pass } = await start()
  const id = await agent.jobIn('sent')
  for (let resend = 1; resend <= 3; resend++) {
    await pass(59)
    expect(await agent.claim(1n, { claimedJobIds: [id] })).toEqual([])
    await pass(1)
    expect(await agent.claim(1n, { claimedJobIds: [id] })).toEqual([{ jobId: id, attempt: resend + 1 }])
  }
  expect(jobs.timesWoken(agent.computerId)).toBe(3)
  await pass(60)
  expect(await jobs.getState(id)).toBe('queued')
  expect(await jobs.eventStates(id)).toEqual(['queued', 'sent', 'sent', 'sent', 'sent', 'queued'])
  expect(await jobs.eventMessages(id)).toEqual([null, null, 'resend 1/3', 'resend 2/3', 'resend 3/3', null])
  expect((await jobs.eventActors(id)).slice(1)).toEqual(Array(5).fill('system'))
})

test('a hello resends at once what the agent does not hold, and nothing else', async () => {
  proves('hello.resends')
  const { jobs, agent } = await start()
  const [lost = '', held = ''] = await agent.addJobs(2)
  await agent.claim(1n)
  await agent.hello(2n, [held])
  expect(await jobs.eventMessages(lost)).toEqual([null, null, 'resend 1/3'])
  expect(await jobs.eventStates(held)).toEqual(['queued', 'sent'])
})

test.each([
  ['resent by a timer meanwhile is not resent a 4th time', { before: 2, meanwhile: 3 }],
  ['requeued and claimed meanwhile keeps its new round', { before: 3, meanwhile: 0 }],
])('a job that a hello found lost and that was %s', async (_title, { before, meanwhile }) => {
  const { jobs, agent } = await start()
  const id = await agent.jobIn('sent')
  await jobs.pool.query('UPDATE jobs.job SET attempt = 4, resend_count = $2 WHERE id = $1', [id, before])
  const commit = await holdTransaction(jobs.pool, (client) =>
    client.query('UPDATE jobs.job SET attempt = 5, resend_count = $2 WHERE id = $1', [id, meanwhile]),
  )
  const hello = agent.hello(2n)
  await untilBlocked(jobs.pool)
  await commit()
  await hello
  expect(await jobs.row(id)).toMatchObject({ state: 'sent', attempt: 5, resend_count: meanwhile })
  expect(await jobs.eventStates(id)).toEqual(['queued', 'sent'])
})

test('a received job that its agent does not hold ends as unconfirmed, and is not printed again', async () => {
  proves('state-reason.unconfirmed')
  const { jobs, agent } = await start()
  const id = await agent.jobIn('received')
  const sent = await agent.jobIn('sent')
  // Another agent with the same credential may hold it.
  await agent.hello(2n, [], true)
  expect(await jobs.getState(id)).toBe('received')
  expect(await jobs.eventMessages(sent)).toEqual([null, null, 'resend 1/3'])
  await agent.hello(3n)
  expect(await jobs.row(id)).toMatchObject({ state: 'error', state_reasons: ['unconfirmed'] })
})

test('an agent gets the seconds until the expiry rounded up, so that a job does not end before it expires', async () => {
  proves('expiry.seconds-left')
  const { jobs, agent } = await start()
  for (const leftMs of [60_000, 60_001])
    await agent.addJob({ expiresAt: new Date(jobs.clock.now().getTime() + leftMs) })
  expect(await agent.claimSecondsLeft(1n)).toEqual([60, 61])
})

test('a job that is not received in time expires to the second, from queued and from sent', async () => {
  proves(
    'create.expireAfter',
    'actor.system.expired',
    'edge.queued.expire.expired',
    'edge.sent.expire.expired',
    'no-edge.received.expire',
    'expiry.before',
    'expiry.at',
  )
  const { jobs, agent } = await start()
  const expiresAt = new Date(jobs.clock.now().getTime() + 60_000)
  const sent = await agent.jobIn('sent', { expiresAt })
  const ids = [sent, await jobs.addJob({ expiresAt }), await jobs.addJob({ expiresAt })]
  await jobs.force(ids[2] ?? '', 'received')
  jobs.advance(59)
  await sweepExpired(jobs)
  expect(await Promise.all(ids.map(jobs.getState))).toEqual(['sent', 'queued', 'received'])
  jobs.advance(1)
  await sweepExpired(jobs)
  expect(await Promise.all(ids.map(jobs.getState))).toEqual(['expired', 'expired', 'received'])
  for (const id of ids.slice(0, 2)) expect((await jobs.eventActors(id)).at(-1)).toBe('system')
  expect(await agent.report(sent, ACKNOWLEDGE)).toEqual({ state: 'expired', granted: false })
})

test('a job is announced when it is committed, and its computer again and again while jobs wait, once each time', async () => {
  const { jobs, agent } = await start()
  const { id } = await createOneJob(jobs, jobCreation(jobs))
  expect(jobs.announced).toEqual([id])
  await agent.addJobs(2)
  await announceWaiting(jobs)
  await announceWaiting(jobs)
  expect(jobs.timesWoken(agent.computerId)).toBe(2)
})

test('a computer is woken for jobs to send again, but not for those that it has; a destination for jobs that are not held', async () => {
  const { jobs, agent: waiting, pass } = await start()
  const [agent, planned, received] = [createTestAgent(jobs), createTestAgent(jobs), createTestAgent(jobs)]
  const [destinationId, ofHeld] = [uuidv7(), uuidv7()]
  for (const one of [agent, received]) await one.hello(1n)
  await received.jobIn('received')
  const sent = await agent.jobIn('sent')
  await planned.addJob({ destinationId, requestedOptions: {} })
  await planned.addJob({ destinationId: ofHeld, requestedOptions: {}, stateReasons: ['held'] })
  await waiting.addJob()
  const announce = async () => {
    const all: unknown[][] = []
    await announceWaiting({ ...jobs, announceWaiting: (rows) => void all.push(...rows) })
    expect(all).not.toContainEqual([null])
    const own = [waiting, agent, planned, received].map(({ computerId }) => computerId)
    return all.filter((row) => [...own, destinationId, ofHeld].includes(String(row.at(-1))))
  }
  const [ofWaiting, ofDestination] = [[waiting.computerId], ['', '', destinationId]]
  expect((await announce()).toSorted()).toEqual([ofWaiting, ofDestination].toSorted())
  await pass(60)
  expect((await announce()).toSorted()).toEqual([ofWaiting, [agent.computerId], ofDestination].toSorted())
  expect(await agent.claimIds(1n, { claimedJobIds: [sent] })).toEqual([sent])
  expect((await announce()).toSorted()).toEqual([ofWaiting, ofDestination].toSorted())
})

test('the queue of a job has the unfinished jobs of its printer, and of its computer those without acknowledgement', async () => {
  const { jobs, agent } = await start()
  const [printerId, batchId] = [uuidv7(), uuidv7()]
  const waiting = { destinationId: uuidv7(), requestedOptions: {} }
  const [elsewhere, first, planned] = [await agent.addJob(), await agent.addJob({ printerId }), await agent.addJob()]
  await agent.claim(1n, { limit: 2 })
  await jobs.force(first, 'received')
  const before = [await agent.addJob(), await agent.addJob({ printerId }), await agent.addJob({ printerId })]
  const job = await agent.addJob({ printerId })
  await agent.addJob({ printerId })
  // At another printer, at the same one, and before the batch.
  await jobs.pool.query('UPDATE jobs.job SET batch_id = $1 WHERE id = ANY($2)', [batchId, [before[0], before[1], job]])
  const ofDestination = [await agent.addJob(waiting), await agent.addJob({ ...waiting, stateReasons: ['held'] })]
  const readQueue = async (id = '') => (await readJobDetails(jobs, { id }))?.details.queue
  const queue = { headJobId: first, length: 5, unacknowledged: 1, batchBegun: false }
  expect(await readQueue(job)).toMatchObject({ ...queue, position: 4, batchBefore: 1 })
  expect(await readQueue(planned)).toMatchObject({ headJobId: planned, length: 1, position: 1, unacknowledged: 1 })
  const [head, held] = ofDestination
  expect(await readQueue(head)).toMatchObject({ headJobId: head, length: 1, position: 1, unacknowledged: 0 })
  expect(await readQueue(held)).toMatchObject({ headJobId: head, length: 2, position: 2, unacknowledged: 0 })
  await jobs.force(elsewhere, 'done')
  expect(await readQueue(elsewhere)).toBeUndefined()
})

async function startWithJob() {
  const jobs = await startTestJobs()
  const [tenant, computerId] = [{ organizationId: uuidv7(), mode: 'test' }, uuidv7()]
  const jobId = await jobs.addJob({ ...tenant, computerId })
  const cancel = () => cancelJob(jobs, create(CancelJobRequestSchema, { ...tenant, jobId, actor: 'api' }))
  return { jobs, jobId, tenant, computerId, cancel }
}

test('a job of another organization or mode is not found, and not cancelled', async () => {
  const { jobs, jobId, tenant } = await startWithJob()
  for (const by of [{ organizationId: uuidv7() }, { mode: 'live' }]) {
    const request = create(CancelJobRequestSchema, { ...tenant, ...by, jobId, actor: 'api' })
    await expect(cancelJob(jobs, request)).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(await jobs.getState(jobId)).toBe('queued')
})

test('a cancel that waits for a concurrent push cancels the job', async () => {
  const jobs = await startOwnTestJobs()
  const tenant = { organizationId: uuidv7(), mode: 'test' as const }
  const jobId = await jobs.addJob(tenant)
  const commit = await holdTransaction(jobs.pool, (client) =>
    changeStates(client, requestedChanges([{ jobId, trigger: 'push', actor: 'system' }]), jobs.clock.now()),
  )
  const cancelled = cancelJob(jobs, create(CancelJobRequestSchema, { ...tenant, jobId, actor: 'api' }))
  await untilBlocked(jobs.pool)
  await commit()
  expect((await cancelled).job).toMatchObject({ id: jobId, state: 'cancelled' })
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'cancelled'])
})

test.each(['queued', 'sent'] as const)(
  'a job in %s is cancelled by the API, and its computer is woken',
  async (state) => {
    proves('endpoint.POST.printjobs.id.cancel')
    const { jobs, jobId, computerId, cancel } = await startWithJob()
    await jobs.force(jobId, state)
    jobs.advance(5)
    const { job } = await cancel()
    expect(job).toMatchObject({ id: jobId, state: 'cancelled' })
    expect((await jobs.row(jobId)).finished_at).toEqual(jobs.clock.now())
    expect(await jobs.eventStates(jobId)).toEqual(['queued', 'cancelled'])
    expect(await jobs.eventActors(jobId)).toEqual(['api', 'api'])
    expect(jobs.timesWoken(computerId)).toBe(1)
  },
)

test.each([
  ['received', /its computer has received it/],
  ['printing', /it is being printed/],
  ['done', /it has ended/],
  ['error', /it has ended/],
  ['cancelled', /it is already cancelled/],
  ['expired', /it has ended/],
] as const)('a job in %s cannot be cancelled, and the error gives the reason', async (state, why) => {
  proves(`print-job.cancel.${state}`)
  const { jobs, jobId, cancel } = await startWithJob()
  await jobs.force(jobId, state)
  const refusal = await cancel().catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'not_cancellable', message: expect.stringMatching(why) })
  expect(refusal).toMatchObject({ message: expect.stringContaining(`\`${state}\``) })
  expect(await jobs.getState(jobId)).toBe(state)
  expect(await jobs.eventStates(jobId)).toEqual(['queued'])
})

test('an agent that holds 10,000 jobs gets the next one when one of them ends', async () => {
  proves('agent.limits.held')
  const { jobs, agent } = await start()
  const first = await agent.jobIn('received')
  await copyJob(jobs.pool, first, 9_998)
  const [last, waiting] = await agent.addJobs(2)
  // The second claim repeats a lost answer.
  for (let n = 0; n < 2; n++) expect(await agent.claimIds(1n)).toEqual([last])
  const { printer_id } = await jobs.row(first, 'printer_id')
  for (const blockedPrinterIds of [[], [String(printer_id)]])
    expect(await agent.claimIds(1n, { claimedJobIds: [last ?? ''], blockedPrinterIds })).toEqual([])
  await agent.report(first, COMPLETE)
  expect(await agent.claimIds(1n, { claimedJobIds: [last ?? ''] })).toEqual([waiting])
})

test('a job that expires after many of another organization is in their next batch', async () => {
  const { jobs, agent } = await start()
  const expiresAt = new Date(jobs.clock.now().getTime() + 60_000)
  await copyJob(jobs.pool, await agent.addJob({ expiresAt }), BATCH)
  const other = await jobs.addJob({ expiresAt: new Date(expiresAt.getTime() + 1_000) })
  jobs.advance(61)
  let batches = 0
  const isRun = ({ name }: QueryConfig) => name !== 'change expire' || batches++ === 0
  const query = async (statement: QueryConfig) => (isRun(statement) ? await jobs.pool.query(statement) : { rows: [] })
  await sweepExpired({ ...jobs, pool: Object.assign(Object.create(jobs.pool), { query }) })
  expect(await jobs.getState(other)).toBe('expired')
  await sweepExpired(jobs)
})

test('a sweep that finds no job to change only reads, whatever other jobs there are', async () => {
  const { jobs, agent } = await start()
  const received = await agent.jobIn('received', { expiresAt: new Date(jobs.clock.now().getTime() + 60_000) })
  const statements: (string | undefined)[] = []
  const query = async (statement: QueryConfig) => {
    statements.push(statement.name)
    return await jobs.pool.query(statement)
  }
  const observed = { ...jobs, pool: Object.assign(Object.create(jobs.pool), { query }) }
  jobs.advance(60)
  for (const sweep of [sweepExpired, (those: typeof jobs) => sweepUnacknowledged(those, 60_000)]) {
    // Ends those of other tests.
    await sweep(jobs)
    await sweep(observed)
  }
  expect(statements).toEqual(['find expire', 'find resend or requeue'])
  expect(await jobs.getState(received)).toBe('received')
})
