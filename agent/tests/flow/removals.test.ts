/** Jobs that the service removes while the agent has them. Removals before a restart are tested in kills.test.ts. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { Spooler } from '../../spoolers/spooler.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent, makeDataDir, slowSpooler } from '../start-agent.ts'

const { ERROR } = ReportedState

const service = useService()

const remove = (jobId: string) => service.send({ case: 'remove', value: { jobId } })
const removed = (jobId: string) => service.heard('removed').filter((message) => message.jobId === jobId)
const reportsOf = (jobId: string) => service.reportsOf(jobId).map(({ state }) => state)

async function connect(change: (slow: Spooler) => Partial<Spooler> = () => ({})) {
  const dataDir = makeDataDir()
  const slow = slowSpooler(dataDir)
  return await connectAgent(service, { dataDir, spooler: { ...slow, ...change(slow) } })
}

async function startWithJobAtSpooler(change?: Parameters<typeof connect>[0]) {
  const agent = await connect(change)
  const { jobId } = service.print()
  await waitFor(() => expect(agent.calls('release')).toHaveLength(1))
  return { agent, jobId }
}

test('a printing job is removed from the spooler, then the removal is confirmed [spooler-timeout.removed]', async () => {
  const { agent, jobId } = await startWithJobAtSpooler()
  remove(jobId)
  await waitFor(() => expect(removed(jobId)).toHaveLength(1))
  expect(agent.calls('remove')).toMatchObject([{ token: jobId }])
  await waitFor(() => expect(reportsOf(jobId)).toEqual([ERROR]))
  service.cut()
  await waitFor(() => expect(service.heard('hello').at(1)?.heldJobIds).toEqual([]))
})

test('a repeated order is carried out once and confirmed each time', async () => {
  const { agent, jobId } = await startWithJobAtSpooler()
  for (let n = 0; n < 3; n++) remove(jobId)
  await waitFor(() => expect(removed(jobId)).not.toEqual([]))
  remove(jobId)
  await waitFor(() => expect(removed(jobId).length).toBeGreaterThan(1))
  expect(agent.calls('remove')).toHaveLength(1)
})

test('a removed job that was not granted is never handed over, also after a late grant', async () => {
  service.script = { received: () => undefined }
  const agent = await connect()
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

test('a removal is repeated while the spooler fails', async () => {
  let failures = 0
  const { agent, jobId } = await startWithJobAtSpooler((slow) => ({
    async remove(id) {
      if (failures++ < 2) throw new Error('the spooler is away')
      await slow.remove(id)
    },
  }))
  remove(jobId)
  await waitFor(() => expect(removed(jobId)).toHaveLength(1))
  expect(failures).toBe(3)
  expect(agent.calls('remove')).toHaveLength(1)
})

test('a job that is removed during its submission is not released; the removal of an unknown one is confirmed', async () => {
  const submitting = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const agent = await connect((slow) => ({
    async submitHeld(submission) {
      submitting.resolve()
      await mayGoOn.promise
      return await slow.submitHeld(submission)
    },
  }))
  const { jobId } = service.print()
  await submitting.promise
  remove(jobId)
  const unknown = randomUUID()
  remove(unknown)
  await waitFor(() => expect(removed(unknown)).toHaveLength(1))
  mayGoOn.resolve()
  await waitFor(() => expect(removed(jobId)).toHaveLength(1))
  expect(agent.calls('remove')).toHaveLength(1)
  expect(agent.calls('release')).toEqual([])
})
