import type { Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { PRINTERS_CHANGED_SUBJECT } from '@platen/proto/subjects.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent, LASER } from '../test-agent.ts'

const WINDOW = 8

async function start() {
  const world = await startOwnWorld()
  const second = await world.addReplica.devices()
  const started = await startTestDevices({ world })
  return { ...started, second, address: second.agentAddress }
}

test('a stream on another replica gets jobs, deletions and enabled printers, and is superseded by a newer one', async () => {
  const { connect, devices, address } = await start()
  const first = await connect({ address })
  await first.createJob()
  await first.agent.waitForMessages('print')
  const newer = await connect({ credential: first.credential })
  await first.agent.waitForMessages('superseded')
  await newer.agent.waitForMessages('print')
  const { agent, createJob, printerIds, computerIds } = await connect({ credential: first.credential, address })
  await agent.waitForMessages('print')
  await devices.updatePrinter({ ...printerIds, enabled: false })
  const held = await createJob()
  await devices.updatePrinter({ ...printerIds, enabled: true })
  expect((await agent.waitForMessages('print', 2))[1]).toMatchObject({ jobId: held })
  await devices.deleteComputer(computerIds)
  await agent.waitForMessages('computerDeleted')
  expect(await agent.ending()).toBe('ended')
})

test('a command reaches the stream on another replica, whose result comes back', async () => {
  const { connect, devices, address } = await start()
  const { agent, computerIds } = await connect({ address, commands: ['findPrinters'] })
  const answer = devices.runCommand({ ...computerIds, command: { command: { case: 'findPrinters', value: {} } } })
  const [{ commandId } = expect.fail('no command')] = await agent.waitForMessages('command')
  agent.send({ case: 'commandResult', value: { commandId, result: { case: 'findPrinters', value: {} } } })
  expect((await answer).result?.result.case).toBe('findPrinters')
})

test('a printer that is disabled through another replica holds its jobs once that is announced', async () => {
  const { connect, devices, printers, createJob, getState, world, tenant, address } = await start()
  const OTHER = { ...LASER, osName: 'other', name: 'Other' }
  const { agent, computerId } = await connect({ address, printers: [LASER, OTHER] })
  const [laser, other] = (await printers(computerId)) as [Printer, Printer]
  const first = await createJob(laser)
  await agent.waitForMessages('print')
  const announcement = Promise.withResolvers<void>()
  world.nats.connection.subscribe(PRINTERS_CHANGED_SUBJECT, { callback: () => announcement.resolve(), max: 1 })
  await world.nats.connection.flush()
  await devices.updatePrinter({ ...tenant, printerId: laser.id, enabled: false })
  await announcement.promise
  const held = await createJob(laser)
  const next = await createJob(other)
  await agent.waitForMessages('print', 2)
  expect([agent.prints(), await getState(held)]).toEqual([[first, next], 'queued'])
})

test('jobs keep their order, 8 at a time, over resends and reconnects to alternating replicas', async () => {
  proves('fifo.resend', 'fifo.reconnect', 'hello.resends')
  const { connect, world, address } = await start()
  const first = await connect()
  const { credential } = first
  const ids: string[] = []
  for (let n = 0; n < 16; n++) ids.push(await first.createJob())
  const held: string[] = []
  let { agent } = first
  // Five rounds without an acknowledgement, so that jobs are requeued, then one job in each round.
  for (let round = 0; round < 13; round++) {
    const waiting = ids.slice(held.length, held.length + WINDOW)
    const prints = await agent.waitForMessages('print', waiting.length)
    expect(agent.prints(), `round ${round}`).toEqual(waiting)
    const [next] = prints
    if (round >= 5 && next) {
      agent.received(next.jobId, next.attempt)
      await agent.waitForMessages('granted')
      held.push(next.jobId)
    }
    agent.drop()
    const replica = round % 2 === 0 ? address : world.agentAddress
    agent = (await connect({ credential, heldJobIds: held, address: replica })).agent
  }
  expect(held).toEqual(ids.slice(0, 8))
})

test('an agent that comes back to another replica replaces its older stream without a message', async () => {
  const { enroll, world, address } = await start()
  const { credential } = await enroll()
  const streams = [world.agentAddress, address].map((one) => connectTestAgent(one, credential))
  for (const stream of streams) {
    stream.hello([LASER], [], 'one run')
    await stream.waitForMessages('welcome')
  }
  expect(await streams[0]?.ending()).toBe('ended')
  expect(streams[0]?.messages.map((message) => message.case)).toEqual(['welcome'])
})

test('the agents of a replica that stops come back to another one, without an event', async () => {
  const { connect, second, address, events, advance, sweep } = await start()
  const computers = await Promise.all(Array.from({ length: 20 }, () => connect({ address })))
  const before = await events()
  const stopped = second.process.stop()
  await Promise.all(computers.map(({ agent }) => agent.waitForMessages('reconnect')))
  await stopped
  advance(29)
  await sweep('offline')
  for (const { credential } of computers) await connect({ credential })
  advance(29)
  await sweep('offline')
  await sweep('printer states')
  expect(await events()).toEqual(before)
})

test('the agent of an old stream is asked to reconnect, and its computer stays online', async () => {
  proves('agent.stream.age')
  const world = await startOwnWorld({ devices: { streamMaxMs: 300 } })
  const { connect, computer } = await startTestDevices({ world })
  const { agent } = await connect()
  expect(await agent.waitForMessages('reconnect')).toMatchObject([{ afterMs: 0 }])
  expect(await agent.ending()).toBe('ended')
  expect((await computer())?.state).toBe('online')
})
