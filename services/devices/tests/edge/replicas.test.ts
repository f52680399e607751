import { startOwnWorld } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent, LASER } from '../test-agent.ts'

async function start() {
  const world = await startOwnWorld()
  const second = await world.addReplica.devices()
  const started = await startTestDevices({ world })
  return { ...started, second, address: second.agentAddress }
}

test('a stream on another replica is told of jobs, deletions and enabled printers, and superseded by a newer one', async () => {
  const { connect, devices, address } = await start()
  const first = await connect({ address })
  await first.createJob()
  await first.agent.hears('print')
  const newer = await connect({ credential: first.credential })
  await first.agent.hears('superseded')
  await newer.agent.hears('print')
  const { agent, createJob, printerIds, computerIds } = await connect({ credential: first.credential, address })
  await agent.hears('print')
  await devices.updatePrinter({ ...printerIds, enabled: false })
  const held = await createJob()
  await devices.updatePrinter({ ...printerIds, enabled: true })
  expect((await agent.hears('print', 2))[1]).toMatchObject({ jobId: held })
  await devices.deleteComputer(computerIds)
  await agent.hears('computerDeleted')
  expect(await agent.ending()).toBe('ended')
})

test('an agent that comes back to another replica takes the place of its older stream without being told', async () => {
  const { enroll, world, address } = await start()
  const { credential } = await enroll()
  const streams = [world.agentAddress, address].map((one) => connectTestAgent(one, credential))
  for (const stream of streams) {
    stream.hello([LASER], [], 'one run')
    await stream.hears('welcome')
  }
  expect(await streams[0]?.ending()).toBe('ended')
  expect(streams[0]?.heard.map((message) => message.case)).toEqual(['welcome'])
})

test('the agents of a replica that stops come back to another one, without an event', async () => {
  const { connect, second, address, events, advance, sweep } = await start()
  const computers = await Promise.all(Array.from({ length: 20 }, () => connect({ address })))
  const before = await events()
  const stopped = second.process.stop()
  await Promise.all(computers.map(({ agent }) => agent.hears('reconnect')))
  await stopped
  advance(29)
  await sweep('offline')
  for (const { credential } of computers) await connect({ credential })
  advance(29)
  await sweep('offline')
  await sweep('printer states')
  expect(await events()).toEqual(before)
})
