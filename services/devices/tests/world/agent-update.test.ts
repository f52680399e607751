/** The version that Welcome offers, and what agents report of their updates. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { UpdateStateSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { computerToJson } from '@platen/resources/computer-schema.ts'
import { openAgentPackages } from '@platen/runtime/agent-packages.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { storeUpdateState } from '../../agents/update-state.ts'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent } from '../test-agent.ts'

test('Welcome offers the version of the packages for the system of the agent', async () => {
  proves('agent.update.offered')
  const { world, enroll } = await startTestDevices()
  const dir = await mkdtemp(join(tmpdir(), 'platen-offered-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const { devices } = world.contexts
  const { agentPackages } = devices
  devices.agentPackages = openAgentPackages(dir)
  onTestFinished(() => {
    devices.agentPackages = agentPackages
  })
  const offer = async (arch: string) => {
    const agent = connectTestAgent(world.agentAddress, (await enroll()).credential)
    agent.send({ case: 'hello', value: { agentVersion: '1.0.0', os: 'linux', arch } })
    return (await agent.waitForMessages('welcome'))[0]?.offeredVersion
  }
  expect(await offer('x64')).toBe('')
  const sha256 = createHash('sha256').update('').digest('hex')
  await writeFile(join(dir, 'SHA256SUMS'), `${sha256}  platen-agent-1.2.3-linux-x64.tar.gz\n`)
  expect([await offer('x64'), await offer('arm64')]).toEqual(['1.2.3', ''])
})

test('a computer shows how its agent updates itself and why the newest update has failed, until the agent reports otherwise', async () => {
  proves('computer.agentUpdate', 'agent.update.reported')
  const { world, enroll, connect, computer, devices } = await startTestDevices()
  const other = (await connect()).computerIds
  const shown = async () => computerToJson((await computer()) ?? expect.fail('no computer')).agentUpdate
  const { credential, computerId } = await enroll()
  const agent = connectTestAgent(world.agentAddress, credential)
  const shows = (expected: object) => waitFor(async () => expect(await shown()).toEqual(expected))
  const failure = { failedVersion: '1.1.0', failure: 'It did not connect.' }
  agent.send({ case: 'hello', value: { agentVersion: '1.0.0', updateState: { isAutomatic: true, ...failure } } })
  await agent.waitForMessages('welcome')
  await shows({ automatic: true, ...failure })
  agent.send({ case: 'updateState', value: { isAutomatic: false, failure: 'The disk is\nfull.' } })
  await shows({ automatic: false, failedVersion: null, failure: 'The disk is full.' })
  agent.send({ case: 'updateState', value: { isAutomatic: true } })
  const newest = { automatic: true, failedVersion: null, failure: null }
  await shows(newest)
  const older = { ...(world.contexts.devices.connections.get(computerId) ?? expect.fail('no stream')), epoch: 0n }
  await storeUpdateState(world.contexts.devices, older, create(UpdateStateSchema))
  expect(await shown()).toEqual(newest)
  expect((await devices.getComputer(other)).computer?.agentUpdate).toBeUndefined()
})

test('a computer whose agent does not update itself shows no update', async () => {
  const { connect, computer } = await startTestDevices()
  await connect()
  expect((await computer())?.agentUpdate).toBeUndefined()
})
