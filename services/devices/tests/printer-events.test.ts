/** Events of printers, and when there are none. Source: decisions, "Computers and printers". */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { VIRTUAL_PRINTERS } from '@platen/agent/spoolers/virtual/printers.ts'
import type { ReportedPrinter } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent, LASER, type TestPrinter } from './test-agent.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

const LABEL: TestPrinter = { ...LASER, osName: 'label', name: 'Label', isDefault: false }
const OFFLINE: TestPrinter = { ...LASER, state: 'offline' }

async function connect(world: World, printers = [LASER]) {
  const { credential } = await world.enroll()
  return { credential, ...(await connectAgain(world, credential, printers)) }
}

async function connectAgain(world: World, credential: string, printers = [LASER]) {
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  agent.hello(printers)
  await agent.hears('welcome')
  return {
    agent,
    /** Comes back when it is stored. */
    async report(...reported: TestPrinter[]) {
      agent.say({ case: 'printers', value: { printers: reported } })
      const wanted = reported.map(({ osName, description, stateDetail = '', state }) => ({
        osName,
        description,
        stateDetail,
        state,
      }))
      await waitFor(async () => {
        const stored = await world.printers()
        const shown = stored.map(({ osName, description, stateDetail, state }) => ({
          osName,
          description,
          stateDetail,
          state,
        }))
        expect(new Set(shown)).toEqual(new Set(wanted))
      })
    },
  }
}

/** What was told since the beginning, of printers alone. */
async function told(world: World) {
  return (await world.events()).filter(({ type }) => type.startsWith('printer.'))
}

const typesOf = async (world: World) => (await told(world)).map(({ type }) => type)

/** A look passes over what somebody else has in hand, who tells it then, or the service's own next look does. */
const areTold = (world: World, types: string[]) => waitFor(async () => expect(await typesOf(world)).toEqual(types))

/** Time passes, and every replica looks what is due. */
async function pass(world: World, seconds: number) {
  world.clock.advanceSeconds(seconds)
  await Promise.all(Array.from({ length: 3 }, world.sweepPrinterStates))
}

const shown = ({ capabilities: _, ...printer }: Printer) => printer

async function isOffline(world: World) {
  await waitFor(async () => expect((await world.computer())?.state).toBe('offline'))
}

test.each(['test', 'live'])(
  'the first report of a printer is `printer.added`, with the printer as it is read but for its capabilities (%s)',
  async (mode) => {
    const world = await startTestDevices({ mode })
    const { report } = await connect(world)
    const [laser] = await world.printers()
    if (!laser) throw new Error('there is no printer')
    const added = {
      type: 'printer.added',
      organizationId: world.organizationId,
      mode,
      sequence: 1,
      occurredAt: timestampFromDate(world.clock.now()),
    }
    const [event] = await told(world)
    expect(event).toMatchObject({ ...added, resource: { case: 'printer', value: shown(laser) } })
    expect(event?.resource).not.toHaveProperty('value.capabilities')
    await report(LASER, LABEL)
    expect(await told(world)).toMatchObject([added, { ...added, resource: { value: { osName: 'label' } } }])
  },
)

test('a report that says the same again emits nothing', async () => {
  const world = await startTestDevices()
  const papers = [{ name: 'A4', size: { width: 2100, height: 2970 } }]
  const capabilities = create(PrinterCapabilitiesSchema, { copies: 9, papers })
  const full = { ...LASER, capabilities, stateDetail: 'Out of paper', stateReasons: ['media-empty', 'other'] }
  const { report, credential } = await connect(world, [full, LABEL])
  const [before, printers] = [await typesOf(world), await world.printers()]
  world.clock.advanceSeconds(1)
  await report(LABEL, full)
  const again = await connectAgain(world, credential, [full, LABEL])
  // Behind the others, so those are stored.
  await again.report(full, { ...LABEL, description: 'another' })
  expect(await typesOf(world)).toEqual([...before, 'printer.updated'])
  const laser = ({ osName }: Printer) => osName === 'laser'
  expect((await world.printers()).find(laser)).toEqual(printers.find(laser))
})

test('of two printers with one name in a report the later one counts', async () => {
  const world = await startTestDevices()
  await connect(world, [LASER, { ...LASER, description: 'The later one' }])
  expect(await world.printers()).toMatchObject([{ description: 'The later one' }])
  expect(await typesOf(world)).toEqual(['printer.added'])
})

test('a printer that is missing from a report is `printer.removed`, and `printer.added` when it is back, with its id and edited fields', async () => {
  const world = await startTestDevices()
  const { report } = await connect(world, [LASER, LABEL])
  const { organizationId } = world
  const label = (await world.printers()).find(({ osName }) => osName === 'label')
  const ids = { organizationId, mode: 'test', printerId: label?.id }
  const { printer } = await world.devices.updatePrinter({ ...ids, displayName: 'Till', enabled: false })
  if (!printer) throw new Error('there is no printer')
  const before = await told(world)
  world.clock.advanceSeconds(1)
  await report(LASER)
  const { updatedAt: _, ...last } = shown(printer)
  const removed = { type: 'printer.removed', sequence: 3, resource: { value: last } }
  expect((await told(world)).slice(before.length)).toMatchObject([removed])
  await report(LASER)
  const changed: TestPrinter = { ...LABEL, description: 'Another driver', state: 'offline' }
  await report(LASER, changed)
  await pass(world, 10)
  const { printer: back } = await world.devices.getPrinter(ids)
  expect(back).toMatchObject({ id: label?.id, displayName: 'Till', enabled: false, description: 'Another driver' })
  if (!back) throw new Error('there is no printer')
  expect((await told(world)).slice(before.length)).toMatchObject([
    removed,
    { type: 'printer.added', sequence: 4, resource: { value: shown(back) } },
  ])
})

test('a state that differs for 10 s is an event, for 9 s it is none', async () => {
  const world = await startTestDevices()
  const { report } = await connect(world)
  await report(OFFLINE)
  await pass(world, 9)
  expect(await typesOf(world)).toEqual(['printer.added'])
  await pass(world, 1)
  await areTold(world, ['printer.added', 'printer.offline'])
  await report(LASER)
  await pass(world, 9)
  expect(await typesOf(world)).toEqual(['printer.added', 'printer.offline'])
  await pass(world, 1)
  await areTold(world, ['printer.added', 'printer.offline', 'printer.online'])
  const [printer] = await world.printers()
  if (!printer) throw new Error('there is no printer')
  // After a minute the computer may be taken for gone.
  await pass(world, 3600)
  expect(await told(world)).toMatchObject([
    { type: 'printer.added', sequence: 1, resource: { value: { state: 'online' } } },
    { type: 'printer.offline', sequence: 2, resource: { value: { state: 'offline' } } },
    { type: 'printer.online', sequence: 3, resource: { value: shown(printer) } },
  ])
})

test('the 10 s count from the first report of the other state, however often it is said', async () => {
  const world = await startTestDevices()
  const { report } = await connect(world)
  await report(OFFLINE)
  await pass(world, 9)
  await report({ ...OFFLINE, stateDetail: 'Unplugged' })
  expect(await typesOf(world)).toEqual(['printer.added', 'printer.updated'])
  await pass(world, 1)
  await areTold(world, ['printer.added', 'printer.updated', 'printer.offline'])
})

test('a printer that goes and comes back within 10 s emits nothing, however often', async () => {
  const world = await startTestDevices()
  const { report } = await connect(world)
  for (let round = 0; round < 3; round++) {
    await report(OFFLINE)
    await pass(world, 9)
    await report(LASER)
    await pass(world, 1)
  }
  await pass(world, 60)
  expect(await typesOf(world)).toEqual(['printer.added'])
})

test('a printer that is removed while its state differs has no event of its state', async () => {
  const world = await startTestDevices()
  const { report } = await connect(world)
  await report(OFFLINE)
  await report()
  await pass(world, 10)
  expect(await typesOf(world)).toEqual(['printer.added', 'printer.removed'])
})

test.each([
  ['description', { description: 'Another driver' }],
  ['name', { name: 'Laser 2' }],
  ['isDefault', { isDefault: false }],
  ['stateDetail and stateReasons', { stateDetail: 'Out of paper', stateReasons: ['media-empty'] }],
  ['capabilities', { capabilities: create(PrinterCapabilitiesSchema, { copies: 98 }) }],
] as [string, Partial<Omit<ReportedPrinter, '$typeName'>>][])(
  'a reported change of `%s` is `printer.updated` at once',
  async (_title, change) => {
    const world = await startTestDevices()
    const { agent } = await connect(world)
    world.clock.advanceSeconds(1)
    agent.say({ case: 'printers', value: { printers: [{ ...LASER, ...change }] } })
    await waitFor(async () => expect(await told(world)).toHaveLength(2))
    const [printer] = await world.printers()
    if (!printer) throw new Error('there is no printer')
    const resource = { value: shown(printer) }
    expect((await told(world))[1]).toMatchObject({ type: 'printer.updated', sequence: 2, resource })
    expect(printer).toMatchObject(change)
  },
)

test('a PATCH is `printer.updated` when it changes something, also while nobody knows the state', async () => {
  const world = await startTestDevices()
  const { agent } = await connect(world)
  const [printer] = await world.printers()
  const ids = { organizationId: world.organizationId, mode: 'test', printerId: printer?.id }
  const edited = { displayName: 'Till', defaultOptions: { color: null, copies: 2 }, remarks: { text: 'x' } }
  const customPapers = { papers: [{ name: 'Ticket', width: 800, height: 1 }] }
  const { printer: online } = await world.devices.updatePrinter({ ...ids, ...edited, customPapers })
  for (const same of [{}, { displayName: 'Till' }, { ...edited, customPapers }])
    await world.devices.updatePrinter({ ...ids, ...same })
  if (!online) throw new Error('there is no printer')
  const first = { type: 'printer.updated', sequence: 2, resource: { value: shown(online) } }
  expect((await told(world)).slice(1)).toMatchObject([first])
  agent.shutDown()
  await isOffline(world)
  await world.devices.updatePrinter({ ...ids, enabled: false })
  expect((await told(world)).slice(1)).toMatchObject([
    first,
    { type: 'printer.updated', sequence: 3, resource: { value: { state: 'unknown', enabled: false } } },
  ])
})

test('a change of a printer that cannot be told does not happen', async () => {
  const world = await startTestDevices()
  const { report } = await connect(world)
  const [printer] = await world.printers()
  const ids = { organizationId: world.organizationId, mode: 'test', printerId: printer?.id }
  await report(OFFLINE)
  await world.query('ALTER TABLE devices.outbox ADD CONSTRAINT untold CHECK (false) NOT VALID')
  world.clock.advanceSeconds(10)
  await waitFor(() => expect(world.sweepPrinterStates()).rejects.toThrow('untold'))
  await expect(world.devices.updatePrinter({ ...ids, displayName: 'Till' })).rejects.toThrow()
  expect(await world.printers()).toMatchObject([{ displayName: 'Laser' }])
  expect(await typesOf(world)).toEqual(['printer.added'])
  await world.query('ALTER TABLE devices.outbox DROP CONSTRAINT untold')
  await world.sweepPrinterStates()
  await areTold(world, ['printer.added', 'printer.offline'])
})

test('while its computer is offline a printer emits nothing, and what differs then counts from its coming back', async () => {
  const world = await startTestDevices()
  const { agent, report, credential } = await connect(world)
  await report(OFFLINE)
  world.clock.advanceSeconds(5)
  agent.shutDown()
  await isOffline(world)
  await pass(world, 3600)
  expect(await typesOf(world)).toEqual(['printer.added'])
  await connectAgain(world, credential, [OFFLINE])
  await pass(world, 9)
  expect(await typesOf(world)).toEqual(['printer.added'])
  await pass(world, 1)
  await areTold(world, ['printer.added', 'printer.offline'])
})

test('what was another state before an outage and is the old one after it is no event', async () => {
  const world = await startTestDevices()
  const { agent, report, credential } = await connect(world)
  await report(OFFLINE)
  agent.shutDown()
  await isOffline(world)
  world.clock.advanceSeconds(3600)
  await connectAgain(world, credential)
  await pass(world, 60)
  expect(await typesOf(world)).toEqual(['printer.added'])
})

test('a state that changed during an outage is told 10 s after the hello that reports it', async () => {
  const world = await startTestDevices()
  const { agent, credential } = await connect(world, [LASER, LABEL])
  agent.shutDown()
  await isOffline(world)
  world.clock.advanceSeconds(3600)
  await connectAgain(world, credential, [OFFLINE, LABEL])
  await pass(world, 9)
  expect(await typesOf(world)).toEqual(['printer.added', 'printer.added'])
  await pass(world, 1)
  await areTold(world, ['printer.added', 'printer.added', 'printer.offline'])
})

test('what an agent reports that was taken for silent is told behind `computer.online`', async () => {
  const world = await startTestDevices()
  const { agent } = await connect(world)
  world.clock.advanceSeconds(60)
  await world.sweepPresence()
  agent.say({ case: 'printers', value: { printers: [{ ...LASER, description: 'Another driver' }] } })
  await waitFor(async () =>
    expect((await world.events()).slice(2).map(({ type }) => type)).toEqual([
      'computer.offline',
      'computer.online',
      'printer.updated',
    ]),
  )
})

test("the printers of a test computer are added as they are shown first, and the agent's first report emits nothing more of them", async () => {
  const world = await startTestDevices()
  const { organizationId } = world
  const { printers } = await world.devices.listPrinters({ organizationId, mode: 'test', page: { limit: 100 } })
  const added = await told(world)
  expect(added.map(({ resource }) => resource.value)).toMatchObject(printers.toReversed().map(shown))
  for (const event of added)
    expect(event).toMatchObject({
      type: 'printer.added',
      mode: 'test',
      organizationId,
      sequence: 1,
      resource: { value: { state: 'unknown' } },
    })
  await connect(
    world,
    VIRTUAL_PRINTERS.map((printer) => ({ ...printer, state: 'online' })),
  )
  await pass(world, 10)
  expect((await world.events()).map(({ type }) => type)).toEqual([...added.map(({ type }) => type), 'computer.online'])
})
