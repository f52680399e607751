import { setTimeout as startLater } from 'node:timers/promises'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent } from './test-agent.ts'

const WINDOW = 8
const RACES = 200
/** Either of the two racers. */
const BEGIN_WITHIN_MS = 5
/** Given to who lost: a busy machine takes much longer for one of the two than for the other. */
const HEAD_START_MS = 1

async function startWithAgent() {
  const world = await startTestDevices()
  const { credential } = await world.enroll()
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  agent.hello()
  await agent.hears('welcome')
  const [printer] = await world.printers()
  const tenant = { organizationId: world.organizationId, mode: 'test' }
  return {
    world,
    agent,
    createJob: () => world.createJob({ id: printer?.id ?? '', computerId: printer?.computerId ?? '' }),
    /** @returns whether the job was cancelled. */
    cancel: (jobId: string) =>
      world.jobs.cancelJob({ ...tenant, jobId, actor: 'api' }).then(
        ({ job }) => job?.state === 'cancelled',
        (error: { code: string }) => {
          expect(error.code).toBe('not_cancellable')
          return false
        },
      ),
    async states(jobId: string) {
      const { events } = await world.jobs.listJobEvents({ ...tenant, jobId })
      return events.map(({ state }) => state)
    },
  }
}

test('an agent that says Received of a cancelled job hears Refused, with the state', async () => {
  const { agent, createJob, cancel, states } = await startWithAgent()
  const jobId = await createJob()
  const [print] = await agent.hears('print')
  expect(await cancel(jobId)).toBe(true)
  agent.say({ case: 'received', value: { jobId, attempt: print?.attempt ?? 0 } })
  expect(await agent.hears('refused')).toMatchObject([{ jobId, state: 'cancelled' }])
  expect(agent.heard.filter((message) => message.case === 'granted')).toEqual([])
  expect(await states(jobId)).toEqual(['queued', 'sent', 'cancelled'])
})

test('a cancelled job gives its place on the way to the agent to the next one, before the agent says a word', async () => {
  const { agent, createJob, cancel, world } = await startWithAgent()
  const ids: string[] = []
  for (let n = 0; n <= WINDOW; n++) ids.push(await createJob())
  await agent.hears('print', WINDOW)
  expect(await world.stateOf(ids[WINDOW] ?? '')).toBe('queued')
  expect(await cancel(ids[3] ?? '')).toBe(true)
  const prints = await agent.hears('print', WINDOW + 1)
  expect(prints.map(({ jobId }) => jobId)).toEqual(ids)
})

test('of a cancel and an acknowledgement by an agent at once exactly one wins, 200 times', {
  timeout: 240_000,
}, async () => {
  const { agent, createJob, cancel, states } = await startWithAgent()
  let cancelledCount = 0
  /** How much later a cancel begins than an acknowledgement, or sooner. */
  let delayMs = 0
  for (let n = 1; n <= RACES; n++) {
    const jobId = await createJob()
    const print = (await agent.hears('print', n)).find((one) => one.jobId === jobId)
    const begin = (laterMs: number) => startLater(Math.max(0, laterMs) + Math.random() * BEGIN_WITHIN_MS)
    const cancelling = begin(delayMs).then(() => cancel(jobId))
    await begin(-delayMs)
    agent.say({ case: 'received', value: { jobId, attempt: print?.attempt ?? 0 } })
    const wasCancelled = await cancelling
    cancelledCount += wasCancelled ? 1 : 0
    delayMs += wasCancelled ? HEAD_START_MS : -HEAD_START_MS
    const answer = await waitFor(() => {
      const found = agent.heard.find(
        (message) => (message.case === 'granted' || message.case === 'refused') && message.value.jobId === jobId,
      )
      expect(found).toBeDefined()
      return found
    })
    expect(answer?.case).toBe(wasCancelled ? 'refused' : 'granted')
    expect(await states(jobId)).toEqual(['queued', 'sent', wasCancelled ? 'cancelled' : 'received'])
  }
  // Otherwise there was no race.
  expect(cancelledCount).toBeGreaterThan(10)
  expect(cancelledCount).toBeLessThan(RACES - 10)
})
