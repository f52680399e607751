/** Reports of printers, and the events that they emit or not. */
import { create } from '@bufbuild/protobuf'
import { VIRTUAL_PRINTERS } from '@platen/agent/spoolers/virtual/printers.ts'
import type { ReportedPrinter } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { PRINTERS_CHANGED_SUBJECT, type PrintersChanged } from '@platen/proto/subjects.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { PRINTER_REPORT_LIMITS } from '@platen/resources/limits.ts'
import { printerToJson } from '@platen/resources/printer-schema.ts'
import { readMetric } from '@platen/test/harness/metrics.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { type ConnectOptions, receive, startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent, LASER, type TestPrinter } from '../test-agent.ts'

const LABEL: TestPrinter = { ...LASER, osName: 'label', name: 'Label', isDefault: false }
/** Limits that reports exceed. The log has one line a second of each. */
const TOO_MANY = 'platen_limits_exceeded_total{limit="printers of an organization"}'
const WAITS = 'platen_limits_exceeded_total{limit="printer events"}'
const OFFLINE: TestPrinter = { ...LASER, state: 'offline' }

/** The printer as events show it. */
const shown = (printer: Printer) => {
  const { capabilities: _, ...json } = printerToJson(printer)
  return json
}

async function start(options: ConnectOptions = {}) {
  const started = await startTestDevices()
  const { connect, events, advance, sweep, printers, computerBecomes } = started
  const connected = await connect(options)
  const getTypes = async () => (await events('printer')).map(({ type }) => type)
  return {
    ...started,
    ...connected,
    emitted: () => events('printer'),
    /** The events after `printer.added` of each printer of the hello. */
    types: async () => (await getTypes()).slice(options.printers?.length ?? 1),
    /** Time passes, and every replica sweeps. */
    async pass(seconds: number) {
      advance(seconds)
      await Promise.all(Array.from({ length: 3 }, () => sweep('printer states')))
      await sweep('printer states')
    },
    async first() {
      const [printer] = await printers()
      if (!printer) throw new Error('no printer')
      return printer
    },
    async goAway() {
      connected.agent.shutDown()
      await computerBecomes({ state: 'offline' })
    },
    /** Reports a change in the stream, which is stored later. */
    sendReport: (name: string, osName = 'laser') =>
      connected.agent.send({ case: 'printers', value: { printers: [{ ...LASER, osName, name }] } }),
    areNamed: (...names: string[]) =>
      waitFor(async () => expect((await printers()).map(({ name }) => name)).toEqual(names)),
    all: () => started.query('SELECT os_name FROM devices.printer WHERE organization_id = $1'),
    reconnect: (...reported: TestPrinter[]) => connect({ credential: connected.credential, printers: reported }),
  }
}

test('the first report of a printer emits `printer.added` with the printer as it is read, except its capabilities', async () => {
  proves('event.printer.added')
  const { world, report, emitted, first } = await start()
  const added = {
    type: 'printer.added',
    mode: 'live',
    sequence: 1,
    timestamp: world.clock.now().toISOString(),
  }
  const [event] = await emitted()
  expect(event).toMatchObject({ ...added, data: shown(await first()) })
  expect(event?.data).not.toHaveProperty('capabilities')
  await report(LASER, LABEL)
  expect(await emitted()).toMatchObject([added, { ...added, data: { osName: 'label' } }])
})

test('a report without changes, and a hello without a report, change and emit nothing', async () => {
  const papers = [{ name: 'A4', size: { width: 2100, height: 2970 } }]
  const capabilities = create(PrinterCapabilitiesSchema, { copies: 9, papers })
  const full = { ...LASER, capabilities, stateDetail: 'Out of paper', stateReasons: ['media-empty', 'other'] }
  const started = await start({ printers: [full, LABEL] })
  const { report, reconnect, types, printers, advance, world, credential } = started
  const before = await printers()
  advance(1)
  await report(LABEL, full)
  await reconnect(full, LABEL)
  const silent = connectTestAgent(world.agentAddress, credential)
  silent.send({ case: 'hello', value: { agentVersion: '1.0.0' } })
  await silent.waitForMessages('welcome')
  expect(await types()).toEqual([])
  expect(await printers()).toEqual(before)
})

test('each change that `ResolvePrinter` or a claim shows is announced once', async () => {
  const { world, organizationId, computerId, computerIds, printerIds, printers, report, devices } = await start()
  const announced: PrintersChanged[] = []
  const subscription = world.nats.connection.subscribe(PRINTERS_CHANGED_SUBJECT, {
    callback: (_error, message) => {
      const changed = message.json<PrintersChanged>()
      if (changed.organizationId !== organizationId) return
      announced.push({ ...changed, printerIds: changed.printerIds.toSorted() })
    },
  })
  onTestFinished(() => subscription.unsubscribe())
  await world.nats.connection.flush()
  await report(OFFLINE)
  const changed = { ...OFFLINE, capabilities: create(PrinterCapabilitiesSchema, { copies: 1 }) }
  await report(changed, LABEL)
  const { printerId: laser } = printerIds
  const label = (await printers()).find(({ id }) => id !== laser)?.id
  await devices.updatePrinter({ ...printerIds, enabled: false })
  await devices.updatePrinter({ ...printerIds, enabled: false })
  await report(LABEL)
  await report(changed, LABEL)
  await devices.deleteComputer(computerIds)
  const both = [laser, label].toSorted()
  await waitFor(() =>
    expect(announced).toEqual(
      [[laser], both, [laser], [laser], [laser], both].map((ids) => ({ organizationId, computerId, printerIds: ids })),
    ),
  )
})

test('of two printers with one name in a report the later one counts', async () => {
  proves('printer.same')
  const { printers, emitted } = await start({ printers: [LASER, { ...LASER, description: 'The later one' }] })
  expect(await printers()).toMatchObject([{ description: 'The later one' }])
  expect(await emitted()).toMatchObject([{ type: 'printer.added' }])
})

test('a printer that is missing from a report is removed, and its jobs stay readable; it comes back with its id and its edited fields', async () => {
  proves(
    'printer.removed.left-out',
    'printer.removed.404',
    'printer.removed.jobs',
    'printer.back.id',
    'printer.back.edited',
    'printer.same',
    'create.printerId.removed',
    'event.printer.removed',
    'event.printer.added.again',
  )
  const started = await start({ printers: [LASER, LABEL] })
  const { devices, jobs, tenant, report, printers, emitted, pass, createJob, job } = started
  const label = (await printers())[1]
  const ids = { ...tenant, printerId: label?.id ?? '' }
  const jobId = await createJob({ printerId: ids.printerId })
  const { printer: edited } = await devices.updatePrinter({ ...ids, displayName: 'Till', enabled: false })
  if (!edited) throw new Error('no printer')
  const before = (await emitted()).length
  started.advance(1)
  for (let n = 0; n < 2; n++) await report(LASER)
  expect((await printers()).map(({ name }) => name)).toEqual(['Laser'])
  for (const call of [devices.getPrinter, devices.resolvePrinter, devices.updatePrinter])
    await expect(call({ ...ids, displayName: 'Gone' })).rejects.toMatchObject({ code: 'not_found' })
  expect(await job(jobId)).toMatchObject({ printerId: ids.printerId })
  expect((await jobs.listJobs(ids)).jobs).toMatchObject([{ id: jobId }])
  const { updatedAt: _, ...last } = shown(edited)
  const removed = { type: 'printer.removed', sequence: 3, data: last }
  expect((await emitted()).slice(before)).toMatchObject([removed])

  await report(LASER, { ...LABEL, description: 'Another driver', state: 'offline' })
  await pass(10)
  const { printer: back } = await devices.getPrinter(ids)
  expect(back).toMatchObject({ id: label?.id, displayName: 'Till', enabled: false, description: 'Another driver' })
  expect((await emitted()).slice(before)).toMatchObject([
    removed,
    { type: 'printer.added', sequence: 4, data: back && shown(back) },
  ])
  await report(LASER)
  await report(LASER, { ...LABEL, description: 'Another driver', state: 'offline' })
  expect((await emitted()).slice(-2)).toMatchObject([
    { type: 'printer.removed', sequence: 5 },
    { type: 'printer.added', sequence: 6 },
  ])
})

test('a state that differs for 10 s emits an event, for 9 s none; it is shown at once', async () => {
  proves(
    'printer.state.offline',
    'event.printer.online',
    'event.printer.offline',
    'event.printer.state.9s',
    'event.printer.updated.state',
  )
  const { report, pass, types, emitted, first } = await start()
  await report(OFFLINE)
  expect(await first()).toMatchObject({ state: 'offline' })
  await pass(9)
  expect(await types()).toEqual([])
  await pass(1)
  expect(await types()).toEqual(['printer.offline'])
  await report(LASER)
  await pass(9)
  expect(await types()).toEqual(['printer.offline'])
  await pass(1)
  await pass(30)
  expect(await emitted()).toMatchObject([
    { type: 'printer.added', sequence: 1, data: { state: 'online' } },
    { type: 'printer.offline', sequence: 2, data: { state: 'offline' } },
    { type: 'printer.online', sequence: 3, data: shown(await first()) },
  ])
})

test.each([
  ['an offline', [OFFLINE]],
  ['a removed', []],
])(
  '%s printer holds its jobs in order until it is reported online, and does not hold up other printers; jobs that were sent before continue',
  async (_title, withoutLaser) => {
    proves('create.printer-offline', 'offline.waiting', 'offline.online-again')
    const { agent, report, printers, getState, createJob } = await start({ printers: [LASER, LABEL] })
    const [laser, label] = await printers()
    const sent = await createJob({ printerId: laser?.id })
    await agent.waitForMessages('print')
    await report(...withoutLaser, LABEL)
    const held = [await createJob({ printerId: laser?.id }), await createJob({ printerId: laser?.id })]
    const other = await createJob({ printerId: label?.id })
    await agent.waitForMessages('print', 2)
    expect(agent.prints()).toEqual([sent, other])
    expect(await Promise.all(held.map(getState))).toEqual(['queued', 'queued'])
    await receive(agent, sent)
    await report(LASER, LABEL)
    await agent.waitForMessages('print', 4)
    expect(agent.prints()).toEqual([sent, other, ...held])
  },
)

test('the 10 s begin with the first report of the other state; a return or removal within them emits no event of the state', async () => {
  const { report, pass, types } = await start()
  for (let round = 0; round < 2; round++) {
    await report(OFFLINE)
    await pass(9)
    await report(LASER)
    await pass(1)
  }
  await pass(30)
  expect(await types()).toEqual([])
  await report(OFFLINE)
  await pass(9)
  await report({ ...OFFLINE, stateDetail: 'Unplugged' })
  expect(await types()).toEqual(['printer.updated'])
  await pass(1)
  expect(await types()).toEqual(['printer.updated', 'printer.offline'])
  await report({ ...LASER, stateDetail: 'Unplugged' })
  await report()
  await pass(10)
  expect(await types()).toEqual(['printer.updated', 'printer.offline', 'printer.removed'])
})

test('the 10 s of a printer are not extended by a hello of its computer, which is online, or of another one', async () => {
  const { report, pass, types, connect, credential, computerBecomes } = await start()
  const other = await connect()
  other.agent.shutDown()
  await computerBecomes({ state: 'offline' })
  await report(OFFLINE)
  await pass(9)
  await connect({ credential, printers: [OFFLINE] })
  await connect({ credential: other.credential })
  await pass(1)
  expect(await types()).toContain('printer.offline')
})

test.each([
  ['description', { description: 'Another driver' }],
  ['name', { name: 'Laser 2' }],
  ['isDefault', { isDefault: false }],
  ['stateDetail and stateReasons', { stateDetail: 'Out of paper', stateReasons: ['media-empty'] }],
  ['capabilities', { capabilities: create(PrinterCapabilitiesSchema, { copies: 98 }) }],
] as [string, Partial<Omit<ReportedPrinter, '$typeName'>>][])(
  'a reported change of `%s` emits `printer.updated` at once',
  async (_title, change) => {
    proves('event.printer.updated.reported', 'printer.stateReasons')
    const { report, emitted, first, advance } = await start()
    advance(1)
    await report({ ...LASER, ...change })
    const printer = await first()
    expect(printer).toMatchObject(change)
    const data = shown(printer)
    expect((await emitted()).slice(1)).toMatchObject([{ type: 'printer.updated', sequence: 2, data }])
  },
)

test('a PATCH that changes something changes `updatedAt` and emits `printer.updated`, also in `unknown`', async () => {
  proves('event.printer.updated', 'event.printer.updated.empty')
  const { devices, printerIds, emitted, goAway, advance } = await start()
  const edited = { displayName: 'Till', defaultOptions: { color: null, copies: 2 }, remarks: { text: 'x' } }
  const customPapers = { papers: [{ name: 'Ticket', width: 800, height: 1 }] }
  const { printer: online } = await devices.updatePrinter({ ...printerIds, ...edited, customPapers })
  advance(10)
  const reordered = { ...edited, customPapers, defaultOptions: { copies: 2, color: null } }
  for (const same of [{}, { displayName: 'Till' }, { remarks: { text: 'x' } }, reordered])
    expect((await devices.updatePrinter({ ...printerIds, ...same })).printer).toEqual(online)
  await goAway()
  const { printer: later } = await devices.updatePrinter({ ...printerIds, enabled: false })
  expect(Number(later?.updatedAt?.seconds) - Number(online?.updatedAt?.seconds)).toBe(10)
  expect((await emitted()).slice(1)).toMatchObject([
    { type: 'printer.updated', sequence: 2, data: online && shown(online) },
    { type: 'printer.updated', sequence: 3, data: { state: 'unknown', enabled: false } },
  ])
})

test('a change of a printer whose event cannot be inserted does not happen', async () => {
  const { devices, printerIds, report, failEvents, advance, sweep, first, types } = await start()
  await report(OFFLINE)
  const succeedAgain = await failEvents()
  advance(10)
  await expect(sweep('printer states')).rejects.toThrow('failing')
  await expect(devices.updatePrinter({ ...printerIds, displayName: 'Till' })).rejects.toThrow()
  expect(await first()).toMatchObject({ displayName: 'Laser' })
  expect(await types()).toEqual([])
  await succeedAgain()
  await sweep('printer states')
  expect(await types()).toEqual(['printer.offline'])
})

test('while its computer is offline a printer emits nothing; a state that differs then counts from the next hello', async () => {
  proves('event.printer.unknown')
  const healed = { ...LASER, osName: 'healed' }
  const removed = { ...LASER, osName: 'removed' }
  const { report, goAway, pass, types, reconnect } = await start({ printers: [LASER, LABEL, healed, removed] })
  const isOffline = [OFFLINE, LABEL, { ...healed, state: 'offline' }]
  await report(...isOffline, { ...removed, state: 'offline' })
  await report(...isOffline)
  await goAway()
  await pass(3600)
  expect(await types()).toEqual(['printer.removed'])
  // The first one differs as before, the second one has changed meanwhile.
  await reconnect(OFFLINE, { ...LABEL, state: 'offline' }, healed)
  await pass(9)
  expect(await types()).toEqual(['printer.removed'])
  await pass(1)
  expect(await types()).toEqual(['printer.removed', 'printer.offline', 'printer.offline'])
})

test('a report that is stored while its computer goes offline emits no event of a state', async () => {
  const { report, lockPrinters, waitsForLock, goAway, pass, types } = await start()
  const unlock = await lockPrinters()
  const reporting = report(OFFLINE)
  await waitsForLock(1)
  await goAway()
  await unlock()
  expect(await reporting).toBe(true)
  await pass(10)
  expect(await types()).toEqual([])
})

test('a sweep leaves a printer that is being changed, or whose computer is, to the next one', async () => {
  const { report, hold, advance, sweep, types } = await start()
  await report(OFFLINE)
  advance(10)
  for (const table of ['computer', 'printer']) {
    const release = await hold(`SELECT FROM devices.${table} WHERE organization_id = $1 FOR UPDATE`)
    await sweep('printer states')
    expect(await types()).toEqual([])
    await release()
  }
  await sweep('printer states')
  expect(await types()).toEqual(['printer.offline'])
})

test("the printers of a test computer are added when they are listed first, and the agent's first report emits nothing more of them", async () => {
  const { events, connect, printers, advance, sweep } = await startTestDevices({ mode: 'test' })
  const listed = await printers()
  const added = await events('printer')
  expect(added).toHaveLength(4)
  const value = { state: 'unknown', enabled: true }
  for (const event of added)
    expect(event).toMatchObject({
      type: 'printer.added',
      mode: 'test',
      sequence: 1,
      data: value,
    })
  expect(added.map(({ data }) => data.id)).toEqual(listed.map(({ id }) => id))
  await connect({ printers: VIRTUAL_PRINTERS.map((printer) => ({ ...printer, state: 'online' })) })
  advance(10)
  await sweep('printer states')
  expect(await events('printer')).toHaveLength(4)
})

test('a report that cannot be stored is stored later, without being sent again', async () => {
  const { sendReport, lockPrinters, waitsForLock, world, areNamed } = await start()
  const unlock = await lockPrinters()
  sendReport('Laser 2')
  await waitsForLock(1)
  const killed = await world.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  expect(killed).toEqual([{ pg_terminate_backend: true }])
  await unlock()
  await areNamed('Laser 2')
})

test('reports are stored one after the other, and of those that wait only the newest', async () => {
  const { agent, sendReport, lockPrinters, waitsForLock, areNamed, all, events } = await start()
  const unlock = await lockPrinters()
  sendReport('Laser 1')
  sendReport('Never stored', 'never')
  for (let n = 3; n <= 50; n++) sendReport(`Laser ${n}`)
  // Answered after the reports are read.
  agent.received(crypto.randomUUID())
  await agent.waitForMessages('refused')
  await waitsForLock(1)
  await unlock()
  await areNamed('Laser 50')
  expect(await all()).toEqual([{ os_name: 'laser' }])
  const updated = await events('printer.updated')
  expect(updated.map(({ data }) => data)).toMatchObject([{ name: 'Laser 1' }, { name: 'Laser 50' }])
})

test('a report of a stream that a newer one has replaced is not stored, and the stream is ended', async () => {
  const { agent, sendReport, query, sweep, connect, credential, areNamed, all } = await start()
  await query('UPDATE devices.computer SET epoch = epoch + 1 WHERE organization_id = $1')
  sendReport('Late', 'late')
  await waitFor(async () => {
    await sweep('presence')
    expect(agent.isOver()).toBe(true)
  })
  expect(await agent.ending()).toBe('ended')
  await connect({ credential, printers: [{ ...LASER, name: 'Laser 2' }] })
  await areNamed('Laser 2')
  expect(await all()).toEqual([{ os_name: 'laser' }])
})

test('a report of a silent agent is stored after `computer.online`', async () => {
  const { sendReport, advance, sweep, events } = await start()
  advance(60)
  await sweep('offline')
  sendReport('Laser 2')
  await waitFor(async () => {
    await sweep('presence')
    const types = (await events()).slice(2).map(({ type }) => type)
    expect(types).toEqual(['computer.offline', 'computer.online', 'printer.updated'])
  })
})

/** SQL that adds printers, which were reported and removed in this order. `$1` is the computer. */
const addPrinters = (count: number, removedAt: string) => `
INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, name, description, display_name, enabled,
  is_default, reported_state, state_detail, state_reasons, capabilities, default_options, custom_papers, created_at,
  updated_at, removed_at)
SELECT uuidv7(), id, organization_id, mode, 'old ' || n, '', '', '', true, false, 'online', '', '{}', '{}', '{}', '[]',
  created_at, created_at, ${removedAt}
FROM devices.computer, generate_series(1, ${count}) AS n WHERE id = $1`

test('an organization has at most 5,000 printers in a mode, without removed ones; new ones beyond are left out and counted', async () => {
  proves('printers.limit.5000')
  const { connect, report, printers, computerId, organization, world } = await start()
  const other = await connect({ printers: [] })
  await world.query(addPrinters(BUDGETS.printers.max - 2, 'NULL'), [other.computerId])
  await world.query(addPrinters(2, 'now()'), [computerId])
  await organization.addPrinter('test')
  const names = async () => (await printers(computerId)).map(({ osName }) => osName)
  const before = await readMetric(TOO_MANY)
  await report(LASER, LABEL, { ...LABEL, osName: 'receipt' })
  expect(await names()).toEqual(['laser', 'label'])
  expect(await readMetric(TOO_MANY)).toBe(before + 1)
  // Beyond the limit, as two concurrent reports can be.
  await organization.addPrinter('live', { computerId: other.computerId })
  expect(await report(LASER, LABEL, { ...LABEL, osName: 'receipt' })).toBe(true)
  expect(await names()).toEqual(['laser', 'label'])
})

test('a computer keeps its last 500 removed printers; an older one that returns is a new printer', async () => {
  proves('printers.removed.500')
  const { report, all, computerId, world } = await start()
  const { removed } = PRINTER_REPORT_LIMITS
  await world.query(addPrinters(removed, `created_at - interval '1 hour' + n * interval '1 second'`), [computerId])
  const names = async () => (await all()).map(({ os_name }) => os_name)
  await report(LASER, LABEL)
  expect(await names()).toHaveLength(removed + 2)
  await report(LASER)
  expect(await names()).toHaveLength(removed + 1)
  expect(await names()).not.toContain('old 1')
  expect(await names()).toContain('old 2')
})

test('after 10,000 events of the printers of an organization the reports of all its computers wait, and those of others are stored', async () => {
  proves('printers.events.organization')
  const { world, organizationId, connect, sendReport, computerId, printers } = await start()
  const events = world.contexts.devices.organizationEventRates.get(organizationId)
  events.take(PRINTER_REPORT_LIMITS.organizationEvents.burst)
  const second = await connect({ printers: [] })
  // They are paid in 4 s.
  await second.report(...Array.from({ length: 400 }, (_, n) => ({ ...LABEL, osName: `label ${n}` })))
  const waits = await readMetric(WAITS)
  sendReport('Later')
  await waitFor(async () => expect(await readMetric(WAITS)).toBeGreaterThan(waits))
  const other = await start()
  other.sendReport('Laser 2')
  await other.areNamed('Laser 2')
  expect((await printers(computerId)).map(({ name }) => name)).toEqual([LASER.name])
})

test('after 2,000 events of its printers a computer waits until its next report is stored, also after a hello', async () => {
  proves('printers.events.2000')
  const { reconnect, areNamed, computerId, world, first, agent } = await start()
  const events = world.contexts.devices.printerEventRates.get(computerId)
  // One for `printer.added`.
  events.take(PRINTER_REPORT_LIMITS.events.burst - 1)
  agent.drop()
  const next = await reconnect({ ...LASER, name: 'Till' })
  await areNamed('Till')
  events.take(100)
  next.agent.drop()
  const waits = await readMetric(WAITS)
  await reconnect({ ...LASER, name: 'Later' })
  await waitFor(async () => expect(await readMetric(WAITS)).toBeGreaterThan(waits))
  expect((await first()).name).toBe('Till')
})
