/** Jobs that the service removes while the agent has them. Removals before a restart are tested in kills.test.ts. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { Spooler } from '../../spoolers/spooler.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent, createSlowSpooler, makeDataDir } from '../start-agent.ts'

const { ERROR } = ReportedState

const service = useService()

const sendRemove = (jobId: string) => service.send({ case: 'remove', value: { jobId } })
const getConfirmations = (jobId: string) => service.getMessages('removed').filter((message) => message.jobId === jobId)
const getStates = (jobId: string) => service.getReports(jobId).map(({ state }) => state)

async function connect(change: (slow: Spooler) => Partial<Spooler> = () => ({})) {
  const dataDir = makeDataDir()
  const slow = createSlowSpooler(dataDir)
  return await connectAgent(service, { dataDir, spooler: { ...slow, ...change(slow) } })
}

async function startWithJobAtSpooler(change?: Parameters<typeof connect>[0]) {
  const agent = await connect(change)
  const { jobId } = service.print()
  await waitFor(() => expect(agent.calls('release')).toHaveLength(1))
  return { agent, jobId }
}

test('a printing job is removed from the spooler, and then the removal is confirmed', async () => {
  proves('spooler-timeout.removed')
  const { agent, jobId } = await startWithJobAtSpooler()
  sendRemove(jobId)
  await waitFor(() => expect(getConfirmations(jobId)).toHaveLength(1))
  expect(agent.calls('remove')).toMatchObject([{ token: jobId }])
  await waitFor(() => expect(getStates(jobId)).toEqual([ERROR]))
  service.failStreams()
  await waitFor(() => expect(service.getMessages('hello').at(1)?.heldJobIds).toEqual([]))
})

test('a repeated removal is performed once and confirmed each time', async () => {
  const { agent, jobId } = await startWithJobAtSpooler()
  for (let n = 0; n < 3; n++) sendRemove(jobId)
  await waitFor(() => expect(getConfirmations(jobId)).not.toEqual([]))
  sendRemove(jobId)
  await waitFor(() => expect(getConfirmations(jobId).length).toBeGreaterThan(1))
  expect(agent.calls('remove')).toHaveLength(1)
})

test('a job that is removed before its grant is never handed over, also after a late grant', async () => {
  service.script = { received: () => undefined }
  const agent = await connect()
  const { jobId } = service.print()
  await waitFor(() => expect(service.getMessages('received')).not.toEqual([]))
  sendRemove(jobId)
  await waitFor(() => expect(getConfirmations(jobId)).toHaveLength(1))
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
      if (failures++ < 2) throw new Error('the spooler fails')
      await slow.remove(id)
    },
  }))
  sendRemove(jobId)
  await waitFor(() => expect(getConfirmations(jobId)).toHaveLength(1))
  expect(failures).toBe(3)
  expect(agent.calls('remove')).toHaveLength(1)
})

test('a job that is removed during its submission is not released; the removal of an unknown job is confirmed', async () => {
  const submitting = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  const agent = await connect((slow) => ({
    async submitHeld(submission) {
      submitting.resolve()
      await resume.promise
      return await slow.submitHeld(submission)
    },
  }))
  const { jobId } = service.print()
  await submitting.promise
  sendRemove(jobId)
  const unknown = randomUUID()
  sendRemove(unknown)
  await waitFor(() => expect(getConfirmations(unknown)).toHaveLength(1))
  resume.resolve()
  await waitFor(() => expect(getConfirmations(jobId)).toHaveLength(1))
  expect(agent.calls('remove')).toHaveLength(1)
  expect(agent.calls('release')).toEqual([])
})
