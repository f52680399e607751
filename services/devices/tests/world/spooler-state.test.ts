import { computerToJson } from '@platen/resources/computer-schema.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent } from '../test-agent.ts'

test('a computer shows why its agent cannot list the printers of the operating system, until the agent reports otherwise', async () => {
  proves('computer.spoolerProblem', 'agent.spooler.reported')
  const { world, enroll, connect, computer, devices } = await startTestDevices()
  const other = (await connect()).computerIds
  const shown = async () => computerToJson((await computer()) ?? expect.fail('no computer')).spoolerProblem
  const shows = (expected: object | null) => waitFor(async () => expect(await shown()).toEqual(expected))
  const agent = connectTestAgent(world.agentAddress, (await enroll()).credential)
  const spoolerState = { code: 'not-installed', message: 'CUPS is\nnot installed.' }
  agent.send({ case: 'hello', value: { agentVersion: '1.0.0', spoolerState } })
  await agent.waitForMessages('welcome')
  await shows({ code: 'not-installed', message: 'CUPS is not installed.' })
  agent.send({ case: 'spoolerState', value: {} })
  await shows(null)
  agent.send({ case: 'spoolerState', value: { code: 'not-running', message: 'CUPS does not run.' } })
  await shows({ code: 'not-running', message: 'CUPS does not run.' })
  expect((await devices.getComputer(other)).computer?.spoolerProblem).toBeUndefined()
  agent.send({ case: 'spoolerState', value: { code: 'no code', message: 'x'.repeat(5_000) } })
  await shows(null)
})
