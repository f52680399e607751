import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { expect, test } from 'vitest'
import { announceWaiting } from '../timers/announce-waiting.ts'
import { sweepPrinting } from '../timers/sweep-printing.ts'
import { sweepRemovals } from '../timers/sweep-removals.ts'
import { agentOf } from './agent-of.ts'
import { startTestJobs } from './start-test-jobs.ts'

const TIMEOUT_SECONDS = 15 * 60
const DAY_SECONDS = 24 * 60 * 60

const sweep = (jobs: Parameters<typeof sweepPrinting>[0]) => sweepPrinting(jobs, TIMEOUT_SECONDS * 1000)

async function startPrinting() {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  return { jobs, agent, jobId: await agent.jobIn('printing') }
}

async function startTimedOut() {
  const world = await startPrinting()
  world.jobs.clock.advanceSeconds(TIMEOUT_SECONDS)
  await sweep(world.jobs)
  return world
}

test('a job prints for 15 minutes less a second and goes on; at 15 minutes it ends with `spooler timeout`', async () => {
  const { jobs, agent, jobId } = await startPrinting()
  jobs.clock.advanceSeconds(TIMEOUT_SECONDS - 1)
  const younger = await agent.jobIn('printing')
  await sweep(jobs)
  expect(await jobs.stateOf(jobId)).toBe('printing')
  jobs.clock.advanceSeconds(1)
  await sweep(jobs)
  const { rows } = await jobs.pool.query(
    `SELECT state, state_message, state_reasons, finished_at FROM jobs.job WHERE id = $1`,
    [jobId],
  )
  expect(rows).toEqual([
    {
      state: 'error',
      state_message: 'spooler timeout',
      state_reasons: ['spooler-timeout'],
      finished_at: jobs.clock.now(),
    },
  ])
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'printing', 'error'])
  expect((await jobs.eventMessages(jobId)).at(-1)).toBe('spooler timeout')
  expect((await jobs.eventActors(jobId)).at(-1)).toBe('system')
  expect(await jobs.stateOf(younger)).toBe('printing')
})

test('however long a job is received or done, it does not time out', async () => {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  const received = await agent.jobIn('received')
  const done = await agent.jobIn('printing')
  await agent.say(done, AgentTrigger.COMPLETE)
  jobs.clock.advanceSeconds(2 * TIMEOUT_SECONDS)
  await sweep(jobs)
  expect([await jobs.stateOf(received), await jobs.stateOf(done)]).toEqual(['received', 'done'])
  expect(await agent.removals(1n)).toEqual([])
})

test('replicas that sweep at once end each job once', async () => {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push(await agent.jobIn('printing'))
  jobs.clock.advanceSeconds(TIMEOUT_SECONDS)
  await Promise.all(Array.from({ length: 6 }, () => sweep(jobs)))
  for (const id of ids) expect((await jobs.eventStates(id)).filter((state) => state === 'error')).toHaveLength(1)
  expect((await agent.removals(1n)).sort()).toEqual(ids.sort())
})

test('late and repeated reports change nothing, and hear the state that the job is in', async () => {
  const { jobs, agent, jobId } = await startTimedOut()
  const { PRINT, COMPLETE, FAIL, ACKNOWLEDGE } = AgentTrigger
  for (const trigger of [COMPLETE, COMPLETE, PRINT, FAIL, ACKNOWLEDGE])
    expect(await agent.say(jobId, trigger)).toEqual({ state: 'error', granted: false })
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'printing', 'error'])
  const { rows } = await jobs.pool.query(`SELECT state_message FROM jobs.job WHERE id = $1`, [jobId])
  expect(rows).toEqual([{ state_message: 'spooler timeout' }])
})

test('the computer is woken, and its newest stream has the job removed, again and again until that is confirmed', async () => {
  const { jobs, agent, jobId } = await startTimedOut()
  expect(jobs.woken).toEqual([agent.computerId])
  expect(await agent.removals(1n)).toEqual([jobId])
  await announceWaiting(jobs)
  expect(jobs.woken).toEqual([agent.computerId, agent.computerId])
  expect(await agent.removals(1n)).toEqual([jobId])
  await agent.hello(2n, [jobId])
  expect(await agent.removals(1n)).toEqual([])
  expect(await agent.removals(2n)).toEqual([jobId])
  await agentOf(jobs).confirmRemoval(jobId)
  expect(await agent.removals(2n)).toEqual([jobId])
  await agent.confirmRemoval(jobId)
  expect(await agent.removals(2n)).toEqual([])
  await announceWaiting(jobs)
  expect(jobs.woken).toEqual([agent.computerId, agent.computerId])
})

test('a hello hears what it holds and has ended meanwhile, but for what is done; what it does not hold is forgotten', async () => {
  const { jobs, agent, jobId } = await startTimedOut()
  const done = await agent.jobIn('printing')
  await agent.say(done, AgentTrigger.COMPLETE)
  const going = await agent.jobIn('received')
  const foreign = await agentOf(jobs).jobIn('queued')
  await jobs.force(foreign, 'error')
  expect(await agent.hello(2n, [jobId, done, going, foreign])).toEqual([jobId])
  expect(await agent.removals(2n)).toEqual([jobId])
  expect(await agent.hello(3n, [going])).toEqual([])
  expect(await agent.removals(3n)).toEqual([])
})

test('an order that nobody confirms for a day is left to the hellos', async () => {
  const { jobs, agent, jobId } = await startTimedOut()
  jobs.clock.advanceSeconds(DAY_SECONDS - 1)
  await sweepRemovals(jobs)
  expect(await agent.removals(1n)).toEqual([jobId])
  jobs.clock.advanceSeconds(1)
  await sweepRemovals(jobs)
  expect(await agent.removals(1n)).toEqual([])
  expect(await agent.hello(2n, [jobId])).toEqual([jobId])
})

test('a job that is done before anybody heard of its printing walks through both states', async () => {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  const jobId = await agent.jobIn('received')
  expect(await agent.say(jobId, AgentTrigger.COMPLETE)).toEqual({ state: 'done', granted: false })
  expect(await agent.say(jobId, AgentTrigger.PRINT)).toEqual({ state: 'done', granted: false })
  expect(await agent.say(jobId, AgentTrigger.COMPLETE)).toEqual({ state: 'done', granted: false })
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'printing', 'done'])
  expect((await jobs.eventActors(jobId)).slice(2)).toEqual(['agent', 'agent', 'agent'])
})

test('a job that was not received is not done, whatever is said of it', async () => {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  const jobId = await agent.jobIn('sent')
  expect(await agent.say(jobId, AgentTrigger.COMPLETE)).toEqual({ state: 'sent', granted: false })
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent'])
})

const OUT_OF_PAPER = { message: 'Load paper.', reasons: ['media-empty'] }

/** What `stateMessage` and `stateReasons` are made of. */
async function saidOf({ jobs, jobId }: Awaited<ReturnType<typeof startPrinting>>) {
  const { rows } = await jobs.pool.query(
    'SELECT state, state_message AS message, state_reasons AS reasons FROM jobs.job WHERE id = $1',
    [jobId],
  )
  return rows[0]
}

test('what a job that prints waits for is told in it, for as long as it waits, and is no event', async () => {
  const world = await startPrinting()
  const { agent, jobs, jobId } = world
  const nothing = { state: 'printing', message: null, reasons: [] }
  expect(await agent.say(jobId, AgentTrigger.PRINT, OUT_OF_PAPER)).toMatchObject({ state: 'printing' })
  expect(await saidOf(world)).toEqual({ state: 'printing', ...OUT_OF_PAPER })
  await agent.say(jobId, AgentTrigger.PRINT)
  expect(await saidOf(world)).toEqual(nothing)
  await agentOf(jobs).say(jobId, AgentTrigger.PRINT, OUT_OF_PAPER)
  expect(await saidOf(world)).toEqual(nothing)
  expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'printing'])
})

test('what a job waited for is not told any more once it is done, and nothing of it afterwards', async () => {
  const world = await startPrinting()
  const { agent, jobId } = world
  await agent.say(jobId, AgentTrigger.PRINT, OUT_OF_PAPER)
  await agent.say(jobId, AgentTrigger.COMPLETE)
  await agent.say(jobId, AgentTrigger.PRINT, OUT_OF_PAPER)
  expect(await saidOf(world)).toEqual({ state: 'done', message: null, reasons: [] })
})

test('a job that has something to wait for when it begins to print says so at once', async () => {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  const jobId = await agent.jobIn('received')
  await agent.say(jobId, AgentTrigger.PRINT, OUT_OF_PAPER)
  expect(await saidOf({ jobs, agent, jobId })).toEqual({ state: 'printing', ...OUT_OF_PAPER })
})
