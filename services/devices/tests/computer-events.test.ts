/** `computer.online` and `computer.offline`, which fire on the change alone. Source: decisions, "Computers and printers". */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { DEVICE_EVENTS_STREAM, deviceEventSubject, WEBHOOKS_DEVICES_CONSUMER } from '@platen/proto/subjects.ts'
import { startConsumer } from '@platen/runtime/messaging/consume.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent, LASER, type TestPrinter } from './test-agent.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

const FIFTY = Array.from({ length: 50 }, (_, n): TestPrinter => ({ ...LASER, osName: `printer-${n}` }))

async function connect(world: World, { printers = [LASER], replica = 0 } = {}) {
  const { credential, computerId } = await world.enroll()
  const agent = await connectAgain(world, credential, { printers, replica })
  return { agent, credential, computerId }
}

async function connectAgain(world: World, credential: string, { printers = [LASER], replica = 0 } = {}) {
  const agent = connectTestAgent(world.agentAddresses[replica] ?? '', credential)
  agent.hello(printers)
  await agent.hears('welcome')
  return agent
}

const typesOf = async (world: World) => (await world.events()).map(({ type }) => type)

/** What was told of computers alone. */
const ofComputers = async (world: World) => (await typesOf(world)).filter((type) => type.startsWith('computer.'))

const isDisconnected = (world: World) =>
  waitFor(async () => {
    const { rowCount } = await world.query('SELECT FROM devices.computer WHERE disconnected_at IS NULL')
    expect(rowCount).toBe(0)
  })

test.each(['test', 'live'])(
  'a hello is `computer.online` and a clean shutdown `computer.offline`, each with the computer as it is read then (%s)',
  async (mode) => {
    const world = await startTestDevices({ mode })
    const { agent, computerId } = await connect(world, { printers: [] })
    const { organizationId } = world
    const online = {
      type: 'computer.online',
      organizationId,
      mode,
      sequence: 1,
      occurredAt: timestampFromDate(world.clock.now()),
      resource: { case: 'computer', value: (await world.computer()) ?? {} },
    }
    expect(await world.events()).toMatchObject([online])
    world.clock.advanceSeconds(5)
    agent.shutDown()
    await waitFor(async () => expect(await world.events()).toHaveLength(2))
    const computer = await world.computer()
    expect(computer).toMatchObject({ id: computerId, state: 'offline' })
    expect(await world.events()).toMatchObject([
      online,
      {
        type: 'computer.offline',
        organizationId,
        mode,
        sequence: 2,
        occurredAt: timestampFromDate(world.clock.now()),
        resource: { case: 'computer', value: computer ?? {} },
      },
    ])
  },
)

test('a drop that heals within 30 s emits nothing', async () => {
  const world = await startTestDevices()
  const { agent, credential } = await connect(world)
  const before = await typesOf(world)
  agent.drop()
  await isDisconnected(world)
  world.clock.advanceSeconds(29)
  await world.sweepPresence()
  await connectAgain(world, credential)
  world.clock.advanceSeconds(29)
  await world.sweepPresence()
  expect(await typesOf(world)).toEqual(before)
})

test('a hello of a computer that is online emits nothing, on whichever replica', async () => {
  const world = await startTestDevices({ replicas: 2 })
  const { credential } = await connect(world)
  const before = await typesOf(world)
  await connectAgain(world, credential)
  await connectAgain(world, credential, { replica: 1 })
  expect(await typesOf(world)).toEqual(before)
})

test('a computer with 50 printers that drops for 30 s is one event, and one when it is back', async () => {
  const world = await startTestDevices()
  const { agent, credential } = await connect(world, { printers: FIFTY })
  const before = await typesOf(world)
  agent.drop()
  await isDisconnected(world)
  world.clock.advanceSeconds(30)
  // Every replica looks.
  await Promise.all(Array.from({ length: 10 }, world.sweepPresence))
  expect(await typesOf(world)).toEqual([...before, 'computer.offline'])
  world.clock.advanceSeconds(3600)
  await connectAgain(world, credential, { printers: FIFTY })
  world.clock.advanceSeconds(10)
  await world.sweepPrinterStates()
  expect(await typesOf(world)).toEqual([...before, 'computer.offline', 'computer.online'])
})

test('of many computers that drop together each one has its event', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const computers = await Promise.all(Array.from({ length: 20 }, () => connect(world)))
  for (const { agent } of computers) agent.drop()
  await isDisconnected(world)
  world.clock.advanceSeconds(30)
  await Promise.all(Array.from({ length: 3 }, world.sweepPresence))
  const offline = (await world.events()).filter(({ type }) => type === 'computer.offline')
  expect(offline.map(({ resource }) => resource.value?.id).toSorted()).toEqual(
    computers.map(({ computerId }) => computerId).toSorted(),
  )
})

test('a replica that stops while 20 agents are connected, and their coming back to another one, emits nothing', async () => {
  const world = await startTestDevices({ mode: 'live', replicas: 2 })
  const computers = await Promise.all(Array.from({ length: 20 }, () => connect(world, { printers: FIFTY.slice(0, 3) })))
  const before = await typesOf(world)
  expect(before).toHaveLength(20 * (1 + 3))
  const stopped = world.stopReplica(0)
  await Promise.all(computers.map(({ agent }) => agent.hears('reconnect')))
  await stopped
  world.clock.advanceSeconds(29)
  await world.sweepPresence()
  for (const { credential } of computers)
    await connectAgain(world, credential, { printers: FIFTY.slice(0, 3), replica: 1 })
  world.clock.advanceSeconds(29)
  await world.sweepPresence()
  await world.sweepPrinterStates()
  expect(await typesOf(world)).toEqual(before)
})

test('an agent that is silent for 60 s is `computer.offline`, and what it then says `computer.online`, without a hello', async () => {
  const world = await startTestDevices()
  const { agent } = await connect(world)
  world.clock.advanceSeconds(60)
  await world.sweepPresence()
  expect(await ofComputers(world)).toEqual(['computer.online', 'computer.offline'])
  agent.say({ case: 'heartbeat', value: {} })
  const all = ['computer.online', 'computer.offline', 'computer.online']
  await waitFor(async () => expect(await ofComputers(world)).toEqual(all))
  agent.say({ case: 'heartbeat', value: {} })
  await world.sweepPresence()
  expect(await ofComputers(world)).toEqual(all)
})

test('writing that computers were heard and taking them for gone wait for each other and never deadlock', async () => {
  const world = await startTestDevices({ mode: 'live' })
  await connect(world)
  await connect(world)
  await world.stopReplica(0)
  const { rows } = await world.query<{ id: string; epoch: string }>(
    'SELECT id, epoch FROM devices.computer ORDER BY id DESC',
  )
  const presence = world.createPresence()
  for (const { id, epoch } of rows) presence.heard({ computerId: id, epoch: BigInt(epoch), end: () => undefined })
  world.clock.advanceSeconds(60)

  const other = await world.pool.connect()
  await other.query('BEGIN')
  await other.query('SELECT FROM devices.computer WHERE id = $1 FOR UPDATE', [rows[0]?.id])
  const heard = presence.flush()
  await world.waitsForLock(1)
  const swept = world.sweepPresence()
  await world.waitsForLock(2)
  await other.query('COMMIT')
  other.release()

  await Promise.all([heard, swept])
  const gone = ['computer.offline', 'computer.offline']
  expect(await ofComputers(world)).toEqual(['computer.online', 'computer.online', ...gone])
})

test('a change that cannot be told does not happen, and happens with its event when it can', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { agent, credential, computerId } = await connect(world)
  const ids = { organizationId: world.organizationId, mode: 'live', computerId }
  const before = await world.events()
  await world.query('ALTER TABLE devices.outbox ADD CONSTRAINT untold CHECK (false) NOT VALID')
  agent.shutDown()
  await agent.ending()
  world.clock.advanceSeconds(60)
  await expect(world.sweepPresence()).rejects.toThrow('untold')
  await expect(world.devices.deleteComputer(ids)).rejects.toThrow()
  expect((await world.computer())?.state).toBe('online')
  expect(await world.printers()).toHaveLength(1)
  expect(await world.events()).toEqual(before)
  await world.query('ALTER TABLE devices.outbox DROP CONSTRAINT untold')
  await world.sweepPresence()
  expect((await world.computer())?.state).toBe('offline')

  await world.query('ALTER TABLE devices.outbox ADD CONSTRAINT untold CHECK (false) NOT VALID')
  const refused = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  refused.hello()
  await refused.ending()
  expect((await world.computer())?.state).toBe('offline')
  await world.query('ALTER TABLE devices.outbox DROP CONSTRAINT untold')
  await connectAgain(world, credential)
  expect(await typesOf(world)).toEqual([...before.map(({ type }) => type), 'computer.offline', 'computer.online'])
})

test('a deleted computer that was online is `computer.offline` once, behind `printer.removed` of each printer as it was last', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { agent, computerId } = await connect(world, { printers: FIFTY.slice(0, 2) })
  const before = await world.events()
  const printers = await world.printers()
  const ids = { organizationId: world.organizationId, mode: 'live', computerId }
  await world.devices.deleteComputer(ids)
  await agent.ending()
  await expect(world.devices.deleteComputer(ids)).rejects.toMatchObject({ code: 'not_found' })
  await world.sweepPresence()
  const [first, second, ...others] = (await world.events()).slice(before.length)
  expect([first, second].map((event) => event?.resource.value?.id).toSorted()).toEqual(
    printers.map(({ id }) => id).toSorted(),
  )
  for (const event of [first, second])
    expect(event).toMatchObject({
      type: 'printer.removed',
      mode: 'live',
      sequence: 2,
      resource: { value: { state: 'online' } },
    })
  expect(others).toMatchObject([
    { type: 'computer.offline', sequence: 2, resource: { value: { id: computerId, state: 'offline' } } },
  ])
})

test('a deleted computer that was offline is no event, and its printers go from `unknown`', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { agent, computerId } = await connect(world)
  agent.shutDown()
  await waitFor(async () => expect((await world.computer())?.state).toBe('offline'))
  const before = await world.events()
  await world.devices.deleteComputer({ organizationId: world.organizationId, mode: 'live', computerId })
  expect((await world.events()).slice(before.length)).toMatchObject([
    { type: 'printer.removed', resource: { value: { state: 'unknown' } } },
  ])
})

test('each event is published, and stays in the outbox until webhooks has confirmed it', async () => {
  const world = await startTestDevices({ replicas: 2 })
  const { agent } = await connect(world, { printers: [] })
  agent.shutDown()
  await waitFor(async () => {
    const { rows } = await world.query('SELECT awaiting, published_at IS NOT NULL AS published FROM devices.outbox')
    expect(rows).toEqual(Array.from({ length: 2 }, () => ({ awaiting: ['webhooks-devices'], published: true })))
  })
  const heard: string[] = []
  const webhooks = createTestProcess('webhooks')
  onTestFinished(() => webhooks.stop())
  const consumer = {
    name: WEBHOOKS_DEVICES_CONSUMER,
    stream: DEVICE_EVENTS_STREAM,
    filterSubject: deviceEventSubject('*', '>'),
    outbox: 'devices',
  }
  startConsumer(webhooks, await connectNats(webhooks, world.natsUrl), consumer, async ({ subject }) => {
    heard.push(subject)
  })
  await waitFor(async () => expect(await world.events()).toEqual([]))
  expect(heard).toEqual(['platen.device-events.test.computer.online', 'platen.device-events.test.computer.offline'])
})
