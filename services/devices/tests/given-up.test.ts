/** Jobs that end while their agent has them: it hears of it, and what it says of them changes nothing. */
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent, LASER } from './test-agent.ts'

const DAY_SECONDS = 24 * 60 * 60
const { PRINTING, DONE, ERROR } = ReportedState

async function startPrinting(options: Parameters<typeof startTestDevices>[0] = {}) {
  const world = await startTestDevices(options)
  const { credential } = await world.enroll()
  async function connect(heldJobIds: string[], replica = 0) {
    const agent = connectTestAgent(world.agentAddresses[replica] ?? '', credential)
    agent.hello([LASER], heldJobIds)
    await agent.hears('welcome')
    return agent
  }
  const agent = await connect([])
  const [printer] = await world.printers()
  const jobId = await world.createJob({ id: printer?.id ?? '', computerId: printer?.computerId ?? '' })
  await agent.hears('print')
  agent.say({ case: 'received', value: { jobId, attempt: 1 } })
  await agent.hears('granted')
  agent.report(jobId, PRINTING, 'r1')
  await agent.hears('reportConfirmed')
  const removalsLeft = async () => (await world.query('SELECT FROM jobs.removal')).rowCount
  return { world, agent, connect, jobId, removalsLeft }
}

test('an agent is told to remove a job that prints for too long, again and again until it says that it has', async () => {
  const { world, agent, jobId, removalsLeft } = await startPrinting({ printingTimeoutMs: 100 })
  expect(await agent.hears('remove', 2)).toMatchObject([{ jobId }, { jobId }])
  expect(await world.job(jobId)).toMatchObject({ state: 'error', stateReasons: ['spooler-timeout'] })
  agent.say({ case: 'removed', value: { jobId } })
  await waitFor(async () => expect(await removalsLeft()).toBe(0))
  agent.report(jobId, DONE, 'late')
  expect((await agent.hears('reportConfirmed', 2))[1]).toMatchObject({ reportId: 'late', state: 'error' })
  expect((await world.job(jobId))?.stateMessage).toBe('spooler timeout')
})

test('the order reaches the agent on whichever replica its stream is, and what it missed it hears before Welcome', async () => {
  const jobsClock = createTestClock(new Date())
  const { world, agent, connect, jobId, removalsLeft } = await startPrinting({ replicas: 2, jobsClock })
  agent.drop()
  jobsClock.advanceSeconds(15 * 60)
  await waitFor(async () => expect(await world.stateOf(jobId)).toBe('error'))
  const second = await connect([jobId], 1)
  expect(second.heard.slice(0, 2)).toMatchObject([{ case: 'remove', value: { jobId } }, { case: 'welcome' }])
  second.say({ case: 'removed', value: { jobId } })
  await waitFor(async () => expect(await removalsLeft()).toBe(0))
})

test('an agent that does not hold the job any more hears nothing of it', async () => {
  const jobsClock = createTestClock(new Date())
  const { world, agent, connect, jobId, removalsLeft } = await startPrinting({ jobsClock })
  agent.drop()
  jobsClock.advanceSeconds(15 * 60)
  await waitFor(async () => expect(await world.stateOf(jobId)).toBe('error'))
  expect(await removalsLeft()).toBe(1)
  const second = await connect([])
  expect(second.heard.map((message) => message.case)).toEqual(['welcome'])
  expect(await removalsLeft()).toBe(0)
})

/** Offline, by the services' own timers. */
async function goAway({ world, agent }: Awaited<ReturnType<typeof startPrinting>>) {
  agent.shutDown()
  await agent.ending()
  await waitFor(async () => expect((await world.computer())?.state).toBe('offline'))
}

test('an agent that is away for a day less a second may come back; after a day its jobs end with `agent-lost`', async () => {
  const started = await startPrinting()
  const { world, jobId } = started
  await goAway(started)
  world.clock.advanceSeconds(DAY_SECONDS - 1)
  await world.sweepLost()
  expect(await world.stateOf(jobId)).toBe('printing')
  world.clock.advanceSeconds(1)
  await world.sweepLost()
  const lost = { state: 'error', stateReasons: ['agent-lost'] }
  await waitFor(async () => expect(await world.job(jobId)).toMatchObject(lost))
})

test('an agent that comes back after it was given up is told, and its reports change nothing', async () => {
  const started = await startPrinting()
  const { world, connect, jobId } = started
  await goAway(started)
  world.clock.advanceSeconds(DAY_SECONDS)
  await world.sweepLost()
  await waitFor(async () => expect(await world.stateOf(jobId)).toBe('error'))
  const agent = await connect([jobId])
  expect(agent.heard.slice(0, 2)).toMatchObject([{ case: 'remove', value: { jobId } }, { case: 'welcome' }])
  agent.report(jobId, DONE, 'late')
  expect(await agent.hears('reportConfirmed')).toMatchObject([{ reportId: 'late', state: 'error' }])
  expect(await world.job(jobId)).toMatchObject({ state: 'error', stateReasons: ['agent-lost'] })
  const [printer] = await world.printers()
  const next = await world.createJob({ id: printer?.id ?? '', computerId: printer?.computerId ?? '' })
  expect(await agent.hears('print')).toMatchObject([{ jobId: next }])
  agent.report(next, ERROR, 'r2')
  await waitFor(async () => expect(await world.stateOf(next)).toBe('error'))
})

test('a computer that is online is not lost, however long nothing was written of it', async () => {
  const { world, jobId } = await startPrinting()
  // Two days later by the clock of this look alone: by that of the service the computer would be offline.
  await world.sweepLost(createTestClock(new Date(world.clock.now().getTime() + 2 * DAY_SECONDS * 1000)))
  expect(await world.stateOf(jobId)).toBe('printing')
})

test('while the jobs service is away its part waits, and what was told is not told again', async () => {
  const started = await startPrinting()
  const { world, jobId } = started
  await goAway(started)
  await world.stopJobs()
  world.clock.advanceSeconds(DAY_SECONDS)
  await waitFor(() => expect(world.sweepLost()).rejects.toMatchObject({ code: 'service_unavailable' }))
  await world.startJobsAgain()
  await waitFor(async () => expect(await world.stateOf(jobId)).toBe('error'), 20_000)
  const told = async () =>
    (await world.query<{ at: Date }>('SELECT lost_told_at AS at, epoch FROM devices.computer')).rows[0]
  await waitFor(async () => expect((await told())?.at).not.toBeNull())
  const before = await told()
  world.clock.advanceSeconds(DAY_SECONDS)
  await world.sweepLost()
  expect(await told()).toEqual(before)
})
