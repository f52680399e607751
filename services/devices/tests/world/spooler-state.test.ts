import { create } from '@bufbuild/protobuf'
import { SpoolerStateSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { computerToJson } from '@platen/resources/computer-schema.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { storeSpoolerState } from '../../agents/spooler-state.ts'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent } from '../test-agent.ts'

test('a computer shows why its agent cannot list the printers of the operating system, until the agent reports otherwise', async () => {
  proves('computer.spoolerProblem', 'agent.spooler.reported')
  const { world, enroll, connect, computer, devices } = await startTestDevices()
  const other = (await connect()).computerIds
  const shown = async () => computerToJson((await computer()) ?? expect.fail('no computer')).spoolerProblem
  const shows = (expected: object | null) => waitFor(async () => expect(await shown()).toEqual(expected))
  const { credential, computerId } = await enroll()
  const agent = connectTestAgent(world.agentAddress, credential)
  const spoolerState = { code: 'not-installed', message: 'CUPS is\nnot installed.' }
  agent.send({ case: 'hello', value: { agentVersion: '1.0.0', spoolerState } })
  await agent.waitForMessages('welcome')
  await shows({ code: 'not-installed', message: 'CUPS is not installed.' })
  agent.send({ case: 'spoolerState', value: {} })
  await shows(null)
  agent.send({ case: 'spoolerState', value: { code: 'not-running', message: 'CUPS does not run.' } })
  await shows({ code: 'not-running', message: 'CUPS does not run.' })
  const older = { ...(world.contexts.devices.connections.get(computerId) ?? expect.fail('no stream')), epoch: 0n }
  await storeSpoolerState(world.contexts.devices, older, create(SpoolerStateSchema))
  expect(await shown()).toMatchObject({ code: 'not-running' })
  expect((await devices.getComputer(other)).computer?.spoolerProblem).toBeUndefined()
  agent.send({ case: 'spoolerState', value: { code: 'no code', message: 'x'.repeat(5_000) } })
  await shows(null)
})
