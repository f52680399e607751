/** Paused computers: docs/reference/computers.md#pause. */
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { receive, startTestDevices } from '../start-test-devices.ts'

async function start() {
  const started = await startTestDevices()
  const connected = await started.connect()
  await started.hasClaimed(connected.computerId)
  const pause = (paused: boolean) => started.devices.pauseComputer({ ...connected.computerIds, paused })
  return { ...started, ...connected, pause }
}

test('queued jobs of a paused computer wait, also over a reconnect, and are sent in their order once it is resumed', async () => {
  proves('computer.pause.waits', 'computer.pause.stays', 'computer.pause.order')
  const { agent, connect, credential, createJob, pause, getState, devices, computerIds } = await start()
  const { computer } = await pause(true)
  expect(computer?.pausedAt).toBeDefined()
  const jobs = [await createJob(), await createJob()]
  agent.drop()
  const { agent: next } = await connect({ credential })
  // The claim of this computer is made before that of the other one.
  const other = await connect()
  await other.createJob()
  await other.agent.waitForMessages('print')
  expect([next.prints(), await getState(jobs[0] ?? '')]).toEqual([[], 'queued'])
  expect((await devices.getComputer(computerIds)).computer?.pausedAt).toEqual(computer?.pausedAt)
  expect((await pause(true)).computer?.pausedAt).toEqual(computer?.pausedAt)
  expect((await pause(false)).computer?.pausedAt).toBeUndefined()
  await waitFor(() => expect(next.prints()).toEqual(jobs))
})

test('a job that the agent of a paused computer has received is printed, and no event is emitted', async () => {
  proves('computer.pause.received')
  const { agent, createJob, pause, events, becomes } = await start()
  const job = await createJob()
  await receive(agent, job)
  const before = await events()
  await pause(true)
  agent.report(job, ReportedState.DONE, 'r')
  await becomes(job, { state: 'done' })
  expect(await events()).toEqual(before)
})

test('a computer of another organization is not paused', async () => {
  const { devices, computerIds } = await start()
  const { organizationId } = await startTestDevices()
  await expect(devices.pauseComputer({ ...computerIds, organizationId, paused: true })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect((await devices.getComputer(computerIds)).computer?.pausedAt).toBeUndefined()
})
