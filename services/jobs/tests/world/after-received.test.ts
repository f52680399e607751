/** What becomes of jobs that their agent has received: reports, the spooler timeout, and agents that are lost. */
import { create } from '@bufbuild/protobuf'
import { AgentTrigger, CancelJobRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { JobState } from '@platen/resources/job-states.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { changeStates, requestedChanges } from '../../change-state.ts'
import { recordProgress } from '../../record-progress.ts'
import { cancelJob } from '../../rpc/cancel-job.ts'
import { announceWaiting } from '../../timers/announce-waiting.ts'
import { sweepExpired } from '../../timers/sweep-expired.ts'
import { sweepOldRows } from '../../timers/sweep-old-rows.ts'
import { sweepOverdue } from '../../timers/sweep-overdue.ts'
import { sweepUnacknowledged } from '../../timers/sweep-unacknowledged.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { startTestJobs } from '../start-test-jobs.ts'

const TIMEOUT_SECONDS = 15 * 60
const DAY_SECONDS = 24 * 60 * 60
const { ACKNOWLEDGE, PRINT, COMPLETE, FAIL, WAIT } = AgentTrigger

async function start(state: JobState = 'printing') {
  const jobs = await startTestJobs()
  const agent = createTestAgent(jobs)
  await agent.hello(1n)
  const jobId = await agent.jobIn(state)
  return {
    jobs,
    agent,
    jobId,
    sweep: () => sweepOverdue(jobs),
    shown: () => jobs.row(jobId, 'state, state_message AS message, state_reasons AS reasons'),
  }
}

async function startTimedOut() {
  const started = await start()
  started.jobs.advance(TIMEOUT_SECONDS)
  await started.sweep()
  return started
}

test('a job prints for 15 minutes less a second and goes on; at 15 minutes it ends with `spooler timeout`, and late reports change nothing', async () => {
  proves(
    'spooler-timeout.late-done',
    'state-reason.spooler-timeout',
    'edge.printing.time-out.error',
    'spooler-timeout.14m',
    'spooler-timeout.15m',
  )
  const { jobs, agent, jobId, sweep, shown } = await start()
  jobs.advance(TIMEOUT_SECONDS - 1)
  const younger = await agent.jobIn('printing')
  await sweep()
  expect(await jobs.getState(jobId)).toBe('printing')
  jobs.advance(1)
  await sweep()
  expect(await shown()).toEqual({ state: 'error', message: 'spooler timeout', reasons: ['spooler-timeout'] })
  expect((await jobs.row(jobId)).finished_at).toEqual(jobs.clock.now())
  for (const trigger of [COMPLETE, COMPLETE, PRINT, FAIL, ACKNOWLEDGE])
    expect(await agent.report(jobId, trigger)).toEqual({ state: 'error', granted: false })
  expect(await shown()).toMatchObject({ message: 'spooler timeout' })
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'printing', 'error'])
  expect((await jobs.eventMessages(jobId)).at(-1)).toBe('spooler timeout')
  expect((await jobs.eventActors(jobId)).at(-1)).toBe('system')
  expect(await jobs.getState(younger)).toBe('printing')
})

test('a job that ends while its printer is stopped has the cause beside `spooler-timeout`, and no other reason', async () => {
  proves('spooler-timeout.cause')
  const { jobs, agent, jobId, sweep, shown } = await start()
  const reasons = ['job-printing', 'media-empty', 'page-scaled', 'cover-open']
  await agent.report(jobId, PRINT, { reasons })
  const other = await agent.jobIn('printing')
  jobs.advance(TIMEOUT_SECONDS)
  await sweep()
  expect(await shown()).toEqual({
    state: 'error',
    message: 'spooler timeout',
    reasons: ['spooler-timeout', 'media-empty', 'cover-open'],
  })
  expect(await jobs.row(other, 'state_reasons')).toEqual({ state_reasons: ['spooler-timeout'] })
})

test('each label more that its printer reports begins the 15 minutes anew, for a day at most; a busy printer does not', async () => {
  proves('word.progress')
  const { jobs, agent, jobId, sweep } = await start()
  const advance = async (printed: number) => {
    jobs.advance(TIMEOUT_SECONDS - 1)
    await agent.report(jobId, PRINT, { printed })
    await sweep()
    return await jobs.getState(jobId)
  }
  let printed = 0
  while ((printed + 2) * (TIMEOUT_SECONDS - 1) < DAY_SECONDS) expect(await advance(++printed)).toBe('printing')
  const busy = await agent.jobIn('printing')
  await agent.report(busy, PRINT, { printed: 1 })
  await advance(++printed)
  // A report without a number changes nothing.
  for (const facts of [{}, { printed: 1 }]) await agent.report(busy, PRINT, facts)
  expect(await jobs.getState(busy)).toBe('printing')
  expect(await advance(++printed)).toBe('error')
  expect(await jobs.getState(busy)).toBe('error')
})

test.each([
  ['printer', { confirmedBy: 'printer' }],
  ['spooler', { confirmedBy: 'spooler' }],
  ['spooler', {}],
  ['nobody', { reasons: ['completion-unconfirmed'] }],
])(
  'a job that is done is confirmed by %s for a report of %j, and no other job is confirmed',
  async (confirmedBy, facts) => {
    proves('print-job.confirmedBy')
    const { jobs, agent, jobId } = await start('received')
    await agent.report(jobId, COMPLETE, facts)
    const failed = await agent.jobIn('printing')
    await agent.report(failed, FAIL, { confirmedBy: 'printer' })
    expect(await jobs.row(jobId, 'state, confirmed_by')).toEqual({ state: 'done', confirmed_by: confirmedBy })
    expect(await jobs.row(failed, 'state, confirmed_by')).toEqual({ state: 'error', confirmed_by: null })
  },
)

test('a job that is still received 24 hours after its expiry ends as unconfirmed and is removed, and late reports change nothing', async () => {
  proves('received.unconfirmed')
  const { jobs, agent, jobId, sweep, shown } = await start('received')
  const begun = await agent.jobIn('received')
  jobs.advance(2 * DAY_SECONDS - 1)
  await agent.report(begun, PRINT)
  await sweep()
  expect(await jobs.getState(jobId)).toBe('received')
  jobs.advance(1)
  await sweep()
  const unconfirmed = { state: 'error', message: expect.stringContaining('may have been'), reasons: ['unconfirmed'] }
  expect(await shown()).toEqual(unconfirmed)
  expect(await jobs.getState(begun)).toBe('printing')
  expect(await agent.removals(1n)).toEqual([jobId])
  for (const trigger of [PRINT, COMPLETE, FAIL])
    expect(await agent.report(jobId, trigger)).toEqual({ state: 'error', granted: false })
  expect(await shown()).toEqual(unconfirmed)
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'error'])
})

test('the removal of a job at its deadline is kept for a day, also if the job has an older one', async () => {
  const { jobs, agent, jobId, sweep } = await start('received')
  jobs.advance(2 * DAY_SECONDS)
  await jobs.pool.query('INSERT INTO jobs.removal (job_id, computer_id, created_at) VALUES ($1, $2, $3)', [
    jobId,
    agent.computerId,
    new Date(jobs.clock.now().getTime() - DAY_SECONDS * 1000 + 1_000),
  ])
  await sweep()
  expect(await jobs.getState(jobId)).toBe('error')
  jobs.advance(DAY_SECONDS - 1)
  await sweepOldRows(jobs)
  expect(await agent.removals(1n)).toEqual([jobId])
})

test('sweeps of several replicas end each printing job once, and no other one', async () => {
  const { jobs, agent, jobId, sweep } = await start()
  const ids = [jobId]
  for (let n = 0; n < 20; n++) ids.push(await agent.jobIn('printing'))
  const [done, received] = [await agent.jobIn('printing'), await agent.jobIn('received')]
  await agent.report(done, COMPLETE)
  jobs.advance(TIMEOUT_SECONDS)
  await Promise.all(Array.from({ length: 6 }, sweep))
  for (const id of ids) expect((await jobs.eventStates(id)).filter((state) => state === 'error')).toHaveLength(1)
  expect([await jobs.getState(received), await jobs.getState(done)]).toEqual(['received', 'done'])
  expect((await agent.removals(1n)).sort()).toEqual(ids.sort())
})

test('the newest stream of the computer gets orders to remove the job until its own computer confirms', async () => {
  const { jobs, agent, jobId } = await startTimedOut()
  expect(jobs.timesWoken(agent.computerId)).toBe(1)
  expect(await agent.removals(1n)).toEqual([jobId])
  await announceWaiting(jobs)
  expect(jobs.timesWoken(agent.computerId)).toBe(2)
  expect(await agent.removals(1n)).toEqual([jobId])
  await agent.hello(2n, [jobId])
  expect(await agent.removals(1n)).toEqual([])
  expect(await agent.removals(2n)).toEqual([jobId])
  const other = createTestAgent(jobs)
  await other.hello(1n)
  await other.confirmRemoval(jobId)
  expect(await agent.removals(2n)).toEqual([jobId])
  await agent.confirmRemoval(jobId)
  expect(await agent.removals(2n)).toEqual([])
  await announceWaiting(jobs)
  expect(jobs.timesWoken(agent.computerId)).toBe(2)
})

test('a hello returns the held jobs that have ended or are deleted, and drops removals of jobs that are not held; removals are kept for a day', async () => {
  const { jobs, agent, jobId } = await startTimedOut()
  const done = await agent.jobIn('printing')
  await agent.report(done, COMPLETE)
  const going = await agent.jobIn('received')
  const foreign = await createTestAgent(jobs).jobIn('queued')
  await jobs.force(foreign, 'error')
  const deleted = uuidv7()
  const ended = await agent.hello(2n, [jobId, done, going, foreign, deleted])
  expect(ended.sort()).toEqual([jobId, done, deleted].sort())
  expect(await agent.removals(2n)).toEqual([jobId])
  jobs.advance(DAY_SECONDS - 1)
  await sweepOldRows(jobs)
  expect(await agent.removals(2n)).toEqual([jobId])
  jobs.advance(1)
  await sweepOldRows(jobs)
  expect(await agent.removals(2n)).toEqual([])
  expect(await agent.hello(3n, [jobId, going])).toEqual([jobId])
  expect(await agent.hello(4n, [going])).toEqual([])
  expect(await agent.removals(4n)).toEqual([])
})

test('a report of done without one of printing walks through both states, but not from `sent`', async () => {
  const { jobs, agent, jobId } = await start('sent')
  expect(await agent.report(jobId, COMPLETE)).toEqual({ state: 'sent', granted: false })
  await agent.report(jobId, ACKNOWLEDGE)
  for (const trigger of [COMPLETE, PRINT, COMPLETE])
    expect(await agent.report(jobId, trigger)).toEqual({ state: 'done', granted: false })
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'printing', 'done'])
  expect((await jobs.eventActors(jobId)).slice(2)).toEqual(['agent', 'agent', 'agent'])
})

const OUT_OF_PAPER = { message: 'Load paper.', reasons: ['media-empty'] }

test('a printing job shows what it waits for as long as it waits, without an event', async () => {
  proves('state-reason.media-empty')
  const { agent, jobs, jobId, shown } = await start('received')
  const nothing = { state: 'printing', message: null, reasons: [] }
  for (let n = 0; n < 2; n++) {
    expect(await agent.report(jobId, PRINT, OUT_OF_PAPER)).toMatchObject({ state: 'printing' })
    expect(await shown()).toEqual({ state: 'printing', ...OUT_OF_PAPER })
  }
  await agent.report(jobId, PRINT)
  expect(await shown()).toEqual(nothing)
  await createTestAgent(jobs).report(jobId, PRINT, OUT_OF_PAPER)
  expect(await shown()).toEqual(nothing)
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'printing'])
  await agent.report(jobId, PRINT, OUT_OF_PAPER)
  await agent.report(jobId, COMPLETE)
  await agent.report(jobId, PRINT, OUT_OF_PAPER)
  expect(await shown()).toEqual({ state: 'done', message: null, reasons: [] })
})

test('a received job shows what it waits for until it prints, without an event', async () => {
  proves('state-reason.waiting')
  const { agent, jobs, jobId, shown } = await start('received')
  const stopped = { message: 'The queue is stopped.', reasons: ['printer-stopped'] }
  for (let n = 0; n < 2; n++) {
    expect(await agent.report(jobId, WAIT, stopped)).toEqual({ state: 'received', granted: false })
    expect(await shown()).toEqual({ state: 'received', ...stopped })
  }
  await agent.report(jobId, WAIT)
  expect(await shown()).toEqual({ state: 'received', message: null, reasons: [] })
  await agent.report(jobId, WAIT, stopped)
  await agent.report(jobId, PRINT)
  expect(await shown()).toEqual({ state: 'printing', message: null, reasons: [] })
  await agent.report(jobId, WAIT, stopped)
  expect(await shown()).toEqual({ state: 'printing', ...stopped })
  await agent.report(jobId, COMPLETE)
  await agent.report(jobId, WAIT, stopped)
  expect(await shown()).toEqual({ state: 'done', message: null, reasons: [] })
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'printing', 'done'])
})

test('a job that its agent cannot receive shows why, also when it is queued again or expires, until it is received or cancelled', async () => {
  proves('state-reason.document-not-downloaded')
  const reported = { message: 'HTTP status 502.', reasons: ['document-not-downloaded'] }
  const nothing = { message: null, reasons: [] }
  const startBlocked = async () => {
    const started = await start('sent')
    expect(await started.agent.report(started.jobId, WAIT, reported)).toEqual({ state: 'sent', granted: false })
    expect(await started.shown()).toEqual({ state: 'sent', ...reported })
    return started
  }
  const received = await startBlocked()
  await received.agent.report(received.jobId, ACKNOWLEDGE)
  expect(await received.shown()).toEqual({ state: 'received', ...nothing })
  expect(await received.jobs.eventStates(received.jobId)).toEqual(['queued', 'sent', 'received'])

  const { jobs, jobId, shown } = await startBlocked()
  await createTestAgent(jobs).report(jobId, WAIT, { message: 'Another computer.', reasons: [] })
  for (let n = 0; n < 4; n++) {
    jobs.advance(60)
    await sweepUnacknowledged(jobs, 60_000)
  }
  expect(await shown()).toEqual({ state: 'queued', ...reported })
  jobs.advance(15 * DAY_SECONDS)
  await sweepExpired(jobs)
  expect(await shown()).toEqual({ state: 'expired', ...reported })

  const cancelled = await startBlocked()
  const { organizationId, mode } = await cancelled.jobs.row(
    cancelled.jobId,
    'organization_id AS "organizationId", mode',
  )
  const tenant = { organizationId: String(organizationId), mode: String(mode) }
  const request = create(CancelJobRequestSchema, { ...tenant, jobId: cancelled.jobId, actor: 'api' })
  await cancelJob(cancelled.jobs, request)
  expect(await cancelled.shown()).toEqual({ state: 'cancelled', ...nothing })
})

test('progress that is recorded late changes no job that has ended, or that another computer has taken', async () => {
  const { jobs, agent, jobId, shown } = await start()
  const progress = { jobId, ...OUT_OF_PAPER } as Parameters<typeof recordProgress>[1][number]
  await recordProgress(jobs, [{ ...progress, computerId: createTestAgent(jobs).computerId }])
  expect(await shown()).toEqual({ state: 'printing', message: null, reasons: [] })
  const commit = await holdTransaction(jobs.pool, (client) =>
    changeStates(client, requestedChanges([{ jobId, trigger: 'fail', actor: 'agent' }]), jobs.clock.now()),
  )
  const recording = recordProgress(jobs, [{ ...progress, computerId: agent.computerId }])
  await untilBlocked(jobs.pool)
  await commit()
  await recording
  expect(await shown()).toEqual({ state: 'error', message: null, reasons: [] })
})

test('a warning is of one job and reported by its computer, and a job has it once, also if it is reported twice at once', async () => {
  const { jobs, agent, jobId } = await start()
  const other = await agent.jobIn('printing')
  const report = (warnings: string[], by = agent) => by.report(jobId, PRINT, { warnings })
  const read = async (id: string) => (await jobs.row(id, 'option_warning')).option_warning
  await report(['Not offered: duplex.'], createTestAgent(jobs))
  expect(await read(jobId)).toBeNull()
  const commit = await holdTransaction(jobs.pool, (client) =>
    client.query(`UPDATE jobs.job SET option_warning = 'Not offered: duplex.' WHERE id = $1`, [jobId]),
  )
  const reporting = report(['Not offered: duplex.'])
  await untilBlocked(jobs.pool)
  await commit()
  await reporting
  await report(['Not offered: duplex.'])
  expect(await read(jobId)).toBe('Not offered: duplex.')
  await report(['Not offered: dpi.'])
  expect(await Promise.all([jobId, other].map(read))).toEqual(['Not offered: duplex. Not offered: dpi.', null])
})

async function startWithJobs() {
  const jobs = await startTestJobs()
  const agent = createTestAgent(jobs)
  await agent.hello(1n)
  const done = await agent.jobIn('printing')
  await agent.report(done, COMPLETE)
  const received = await agent.jobIn('received')
  const printing = await agent.jobIn('printing')
  const sent = await agent.jobIn('sent')
  const queued = await agent.jobIn('queued')
  const states = () => Promise.all([done, received, printing, sent, queued].map(jobs.getState))
  return { jobs, agent, received, printing, sent, states }
}

test('what a lost agent had received ends with `agent-lost`; other jobs and the jobs of other computers do not change', async () => {
  const { jobs, agent, received, printing, states } = await startWithJobs()
  const other = createTestAgent(jobs)
  await other.hello(1n)
  const foreign = await other.jobIn('received')
  await Promise.all([agent.lose(2n), agent.lose(2n)])
  await agent.lose(2n)
  expect(await states()).toEqual(['done', 'error', 'error', 'sent', 'queued'])
  for (const jobId of [received, printing]) {
    const { state_message, state_reasons } = await jobs.row(jobId)
    expect({ state_message, state_reasons }).toEqual({
      state_message: expect.stringContaining('may have been'),
      state_reasons: ['agent-lost'],
    })
    expect((await jobs.eventActors(jobId)).at(-1)).toBe('system')
  }
  expect(await jobs.eventStates(received)).toEqual(['queued', 'sent', 'received', 'error'])
  expect(await jobs.getState(foreign)).toBe('received')
})

test.each([
  ['before', 0],
  ['after', 1],
])(
  'a loss waits for a hello that begins %s it has raised the fence, and then changes nothing',
  async (_, statements) => {
    const { jobs, agent, sent, states } = await startWithJobs()
    const client = await jobs.pool.connect()
    let left = statements
    const query = async (...args: Parameters<typeof jobs.pool.query>) => {
      if (left-- === 0) {
        await client.query('BEGIN')
        await client.query('UPDATE jobs.computer_fence SET epoch = 3 WHERE computer_id = $1', [agent.computerId])
      }
      return await jobs.pool.query(...args)
    }
    const pool = Object.assign(Object.create(jobs.pool), { query })
    const losing = createTestAgent({ ...jobs, pool }, agent.computerId).lose(2n)
    await untilBlocked(jobs.pool)
    await client.query('COMMIT')
    client.release()
    await losing
    expect((await states()).slice(1, 3)).toEqual(['received', 'printing'])
    expect(await agent.report(sent, ACKNOWLEDGE, { epoch: 3n })).toMatchObject({ granted: true })
  },
)

test('a lost stream is granted nothing; the agent that comes back learns which jobs have ended, its reports of them change nothing, and it is not lost', async () => {
  const { jobs, agent, received, printing, sent, states } = await startWithJobs()
  await agent.lose(2n)
  expect(await agent.report(sent, ACKNOWLEDGE)).toEqual({ state: 'sent', granted: false })
  expect(await agent.claimIds(1n)).toEqual([])
  expect((await agent.hello(3n, [received, printing, sent])).sort()).toEqual([received, printing].sort())
  expect(await agent.report(printing, COMPLETE, { epoch: 3n })).toEqual({ state: 'error', granted: false })
  expect(await agent.report(received, PRINT, { epoch: 3n })).toEqual({ state: 'error', granted: false })
  expect((await jobs.eventStates(printing)).at(-1)).toBe('error')
  expect(await agent.report(sent, ACKNOWLEDGE, { epoch: 3n })).toEqual({ state: 'received', granted: true })
  await agent.lose(2n)
  expect((await states()).slice(3)).toEqual(['received', 'queued'])
})

test('more jobs than one statement ends are all ended, also if one of them ends meanwhile', async () => {
  const jobs = await startTestJobs()
  const agent = createTestAgent(jobs)
  await agent.hello(1n)
  await copyJob(jobs.pool, await agent.addJob(), 1_001)
  const ofComputer = 'WHERE computer_id = $1'
  const received = await jobs.pool.query<{ id: string }>(
    `UPDATE jobs.job SET state = 'received' ${ofComputer} RETURNING id`,
    [agent.computerId],
  )
  // The first statement has it.
  const jobId = received.rows.map(({ id }) => id).sort()[0] ?? ''
  const commit = await holdTransaction(jobs.pool, async (client) => {
    const end = [{ jobId, trigger: 'fail', actor: 'agent' } as const]
    await changeStates(client, requestedChanges(end), jobs.clock.now())
  })
  const losing = agent.lose(2n)
  await untilBlocked(jobs.pool)
  await commit()
  await losing
  const { rows } = await jobs.pool.query(`SELECT state, count(*)::int FROM jobs.job ${ofComputer} GROUP BY 1`, [
    agent.computerId,
  ])
  expect(rows).toEqual([{ state: 'error', count: 1_002 }])
})
