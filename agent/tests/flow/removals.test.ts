/** Jobs that the service gives up while the agent has them: nothing more of them is printed. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { Phase } from '../../journal/phases.ts'
import { makeCrashed, type SpoolerHas } from '../crashed-agent.ts'
import { type ScriptedService, startScriptedService } from '../scripted-service.ts'
import { makeDataDir, slowSpooler, startAgent } from '../start-agent.ts'

const { ERROR } = ReportedState
const WELCOME = { case: 'welcome', value: { computerId: 'computer', heartbeatSeconds: 20 } } as const

let service: ScriptedService

beforeEach(async () => {
  service = await startScriptedService()
  return () => service.stop()
})

const remove = (jobId: string) => service.send({ case: 'remove', value: { jobId } })
const removed = (jobId: string) => service.heard('removed').filter((message) => message.jobId === jobId)
const reportsOf = (jobId: string) => service.reportsOf(jobId).map(({ state }) => state)

async function startWithJobAtSpooler() {
  const dataDir = makeDataDir()
  const agent = startAgent(service, { dataDir, spooler: slowSpooler(dataDir) })
  await waitFor(() => expect(service.heard('hello')).toHaveLength(1))
  const { jobId } = service.print()
  await waitFor(() => expect(agent.calls('release')).toHaveLength(1))
  return { agent, jobId }
}

test('a job that is printing is taken out of the spooler, and then the service hears that it is', async () => {
  const { agent, jobId } = await startWithJobAtSpooler()
  remove(jobId)
  await waitFor(() => expect(removed(jobId)).toHaveLength(1))
  expect(agent.calls('remove')).toMatchObject([{ token: jobId }])
  await waitFor(() => expect(reportsOf(jobId)).toEqual([ERROR]))
  service.cut()
  await waitFor(() => expect(service.heard('hello').at(1)?.heldJobIds).toEqual([]))
})

test('said again, the order is obeyed once and confirmed each time', async () => {
  const { agent, jobId } = await startWithJobAtSpooler()
  for (let n = 0; n < 3; n++) remove(jobId)
  await waitFor(() => expect(removed(jobId)).not.toEqual([]))
  remove(jobId)
  await waitFor(() => expect(removed(jobId).length).toBeGreaterThan(1))
  expect(agent.calls('remove')).toHaveLength(1)
})

test('of a job that it does not know the agent says that it is removed', async () => {
  const { agent } = await startWithJobAtSpooler()
  const unknown = randomUUID()
  remove(unknown)
  await waitFor(() => expect(removed(unknown)).toHaveLength(1))
  expect(agent.calls('remove')).toEqual([])
})

test('a job that was not granted yet is never handed over, whatever is said of it afterwards', async () => {
  service.script = { received: () => undefined }
  const agent = startAgent(service)
  await waitFor(() => expect(service.heard('hello')).toHaveLength(1))
  const { jobId } = service.print()
  await waitFor(() => expect(service.heard('received')).not.toEqual([]))
  remove(jobId)
  await waitFor(() => expect(removed(jobId)).toHaveLength(1))
  service.send({ case: 'granted', value: { jobId, attempt: 1 } })
  service.script = {}
  const next = service.print()
  await waitFor(() => expect(agent.calls('release')).toMatchObject([{ token: next.jobId }]))
  expect(agent.calls('submit')).toHaveLength(1)
  await waitFor(() => expect(existsSync(join(agent.dataDir, 'documents', jobId))).toBe(false))
})

test('a spooler that fails to remove it is asked again', async () => {
  const dataDir = makeDataDir()
  const slow = slowSpooler(dataDir)
  let failures = 0
  const spooler = {
    ...slow,
    async remove(id: string) {
      if (failures++ < 2) throw new Error('the spooler is away')
      await slow.remove(id)
    },
  }
  const agent = startAgent(service, { dataDir, spooler })
  await waitFor(() => expect(service.heard('hello')).toHaveLength(1))
  const { jobId } = service.print()
  await waitFor(() => expect(agent.calls('release')).toHaveLength(1))
  remove(jobId)
  await waitFor(() => expect(removed(jobId)).toHaveLength(1))
  expect(failures).toBe(3)
  expect(agent.calls('remove')).toHaveLength(1)
})

test('a job that is given up while the spooler is taking it is not released', async () => {
  const dataDir = makeDataDir()
  const slow = slowSpooler(dataDir)
  const submitting = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const spooler = {
    ...slow,
    async submitHeld(submission: Parameters<typeof slow.submitHeld>[0]) {
      submitting.resolve()
      await mayGoOn.promise
      return await slow.submitHeld(submission)
    },
  }
  const agent = startAgent(service, { dataDir, spooler })
  await waitFor(() => expect(service.heard('hello')).toHaveLength(1))
  const { jobId } = service.print()
  await submitting.promise
  remove(jobId)
  remove(randomUUID())
  await waitFor(() => expect(service.heard('removed')).toHaveLength(1))
  mayGoOn.resolve()
  await waitFor(() => expect(removed(jobId)).toHaveLength(1))
  expect(agent.calls('remove')).toHaveLength(1)
  expect(agent.calls('release')).toEqual([])
})

describe('after a restart, a job that was given up while the computer was away is not printed any more', () => {
  const rules: [phase: Phase, spooler: SpoolerHas, removals: number][] = [
    ['staged', 'nothing', 0],
    ['granted', 'nothing', 0],
    ['handing', 'nothing', 0],
    ['handing', 'held', 1],
    ['handing', 'released', 1],
    ['held', 'held', 1],
    ['releasing', 'held', 1],
    ['releasing', 'released', 1],
    ['released', 'released', 1],
  ]
  test.each(rules)('%s, and the spooler has it: %s', async (phase, spoolerHas, removals) => {
    const jobId = randomUUID()
    const dataDir = await makeCrashed(jobId, phase, spoolerHas, slowSpooler)
    service.script = {
      hello() {
        remove(jobId)
        return WELCOME
      },
    }
    const releasedBefore = spoolerHas === 'released' ? 1 : 0
    const agent = startAgent(service, { dataDir, spooler: slowSpooler(dataDir) })
    await waitFor(() => expect(service.heard('hello')).toMatchObject([{ heldJobIds: [jobId] }]))
    const next = service.print()
    await waitFor(() => expect(agent.calls('release').map(({ token }) => token)).toContain(next.jobId))
    await waitFor(() => expect(agent.calls('remove')).toHaveLength(removals))
    // Until it is confirmed the agent holds the job.
    const reports = phase === 'staged' || phase === 'granted' ? [] : [ERROR]
    await waitFor(() => expect(reportsOf(jobId)).toEqual(reports))
    service.cut()
    await waitFor(() => expect(service.heard('hello').at(-1)?.heldJobIds).toEqual([next.jobId]))
    expect(agent.calls('release')).toHaveLength(releasedBefore + 1)
    expect(agent.calls('submit').filter(({ token }) => token === jobId)).toHaveLength(spoolerHas === 'nothing' ? 0 : 1)
  })
})

test.each(['granted', 'handing', 'held', 'releasing'] as const)(
  'what a restart finds %s is not printed before Welcome, since it may have been given up',
  async (phase) => {
    const jobId = randomUUID()
    const spoolerHas = phase === 'granted' || phase === 'handing' ? 'nothing' : 'held'
    const dataDir = await makeCrashed(jobId, phase, spoolerHas)
    service.script = { hello: () => undefined }
    const agent = startAgent(service, { dataDir, timings: { welcomeWithinMs: 500 } })
    await waitFor(() => expect(service.heard('hello').length).toBeGreaterThan(1))
    expect(agent.calls('release')).toEqual([])
    service.script = {}
    await waitFor(() => expect(agent.calls('release')).toMatchObject([{ token: jobId }]))
  },
)
