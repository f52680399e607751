/** An agent may say anything. It harms nobody but itself by it. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { ReportedState, type ReportSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent, LASER, type TestPrinter } from './test-agent.ts'

type Report = MessageInitShape<typeof ReportSchema>

async function connect(world: Awaited<ReturnType<typeof startTestDevices>>, printer: TestPrinter = LASER) {
  const { credential } = await world.enroll()
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  agent.hello([printer])
  await agent.hears('welcome')
  const [reported] = await world.printers()
  if (!reported) throw new Error('the hello reported no printer')
  const jobId = await world.createJob(reported)
  await agent.hears('print')
  agent.say({ case: 'received', value: { jobId, attempt: 1 } })
  await agent.hears('granted')
  const report = (facts: Report) => agent.say({ case: 'report', value: { reportId: 'r', jobId, attempt: 1, ...facts } })
  return { agent, jobId, report }
}

test('NUL characters in what an agent says of a job are stored as U+FFFD', async () => {
  const world = await startTestDevices()
  const { agent, jobId, report } = await connect(world)
  report({ state: ReportedState.ERROR, message: 'No\0paper', reasons: ['media\0empty'], warnings: ['a\0b'] })
  await agent.hears('reportConfirmed')
  expect(await world.job(jobId)).toMatchObject({
    state: 'error',
    stateMessage: 'No\u{fffd}paper a\u{fffd}b',
    stateReasons: expect.arrayContaining(['media\u{fffd}empty']),
  })
})

test('what is said of a job without a proper id does not keep reports that come along with it from being recorded', async () => {
  const world = await startTestDevices()
  const { agent, jobId, report } = await connect(world)
  const wrongIds = ['', 'no id', `${jobId}0`, '\0']
  const times = 20
  for (let n = 0; n < times; n++) {
    for (const wrong of wrongIds) {
      agent.say({ case: 'received', value: { jobId: wrong, attempt: 1 } })
      agent.say({ case: 'removed', value: { jobId: wrong } })
      report({ jobId: wrong, state: ReportedState.DONE })
    }
    report({ state: ReportedState.PRINTING })
  }
  await agent.hears('reportConfirmed', times)
  expect(await world.stateOf(jobId)).toBe('printing')
})

test('texts are kept up to 4,096 characters, and reasons up to 50', async () => {
  const world = await startTestDevices()
  const { agent, jobId, report } = await connect(world)
  const reasons = Array.from({ length: 51 }, (_, n) => `reason-${n}`)
  report({ state: ReportedState.ERROR, message: 'x'.repeat(4_097), reasons })
  await agent.hears('reportConfirmed')
  const { stateMessage, stateReasons } = (await world.job(jobId)) ?? {}
  expect(stateMessage).toBe('x'.repeat(4_096))
  expect(stateReasons).toEqual(reasons.slice(0, 50))
})

test('a computer and printers with NUL characters in their names are stored', async () => {
  const world = await startTestDevices()
  const capabilities = { papers: [{ name: 'A\u{0}4', size: { width: 2100, height: 2970 } }] }
  await connect(world, { osName: 'laser', name: 'La\0ser', state: 'online', capabilities })
  expect(await world.printers()).toMatchObject([
    { name: 'La\u{fffd}ser', capabilities: { papers: [{ name: 'A\u{fffd}4' }] } },
  ])
})
