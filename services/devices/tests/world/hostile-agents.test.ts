/** Messages that no agent of ours sends harm only the agent that sends them. */
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { expect, test } from 'vitest'
import { receive, startTestDevices } from '../start-test-devices.ts'
import { LASER } from '../test-agent.ts'

async function startReceived(printers = [LASER]) {
  const started = await startTestDevices()
  const { agent, createJob } = await started.connect({ printers })
  const jobId = await createJob()
  await receive(agent, jobId)
  return { ...started, agent, jobId }
}

test('NUL characters in the report of a job are stored as U+FFFD', async () => {
  const { agent, jobId, job } = await startReceived()
  const texts = { message: 'No\0paper', reasons: ['media\0empty'], warnings: ['a\0b'] }
  agent.report(jobId, ReportedState.ERROR, 'r', texts)
  await agent.hears('reportConfirmed')
  expect(await job(jobId)).toMatchObject({
    state: 'error',
    stateMessage: 'No\u{fffd}paper a\u{fffd}b',
    stateReasons: expect.arrayContaining(['media\u{fffd}empty']),
  })
})

test('messages with an invalid job id do not prevent reports of the same batch from being recorded', async () => {
  const { agent, jobId, stateOf } = await startReceived()
  const times = 20
  for (let n = 0; n < times; n++) {
    for (const wrong of ['', 'no id', `${jobId}0`, '\0']) {
      agent.received(wrong)
      agent.say({ case: 'removed', value: { jobId: wrong } })
      agent.report(wrong, ReportedState.DONE, 'r')
    }
    agent.report(jobId, ReportedState.PRINTING, 'r')
  }
  await agent.hears('reportConfirmed', times)
  expect(await stateOf(jobId)).toBe('printing')
})

test('texts are truncated to 4,096 characters, and reasons to 50', async () => {
  const { agent, jobId, job } = await startReceived()
  const reasons = Array.from({ length: 51 }, (_, n) => `reason-${n}`)
  agent.report(jobId, ReportedState.ERROR, 'r', { message: 'x'.repeat(4_097), reasons })
  await agent.hears('reportConfirmed')
  const { stateMessage, stateReasons } = (await job(jobId)) ?? {}
  expect({ stateMessage, stateReasons }).toEqual({
    stateMessage: 'x'.repeat(4_096),
    stateReasons: reasons.slice(0, 50),
  })
})

test('NUL characters in the names of printers are stored as U+FFFD', async () => {
  const capabilities = { papers: [{ name: 'A\u{0}4', size: { width: 2100, height: 2970 } }] }
  const { printers } = await startReceived([{ osName: 'laser', name: 'La\0ser', state: 'online', capabilities }])
  const papers = [{ name: 'A\u{fffd}4' }]
  expect(await printers()).toMatchObject([{ name: 'La\u{fffd}ser', capabilities: { papers } }])
})
