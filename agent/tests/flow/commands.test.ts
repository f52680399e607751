/** Commands of users to the agent. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import { DIAGNOSTICS_MAX_BYTES } from '@platen/proto/agent-bounds.ts'
import { ConfirmedBy, ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type {
  CollectedDiagnostics,
  Command,
  CommandResult,
  FoundPrinters,
} from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { afterEach, expect, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { useEpson } from '../../../test/devices/print-on.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { AgentConfig } from '../../config.ts'
import { SYSTEM_CLOCK } from '../../expiry.ts'
import { listPrinters } from '../../spoolers/open-spooler.ts'
import { listen } from '../connect-proxy.ts'
import { allowPort, announcePrinters, LOOPBACK } from '../dns-sd.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { startIppPrinter } from '../scripted-ipp-printer.ts'
import { CREDENTIAL, useService } from '../scripted-service.ts'
import { connectAgent, makeDataDir } from '../start-agent.ts'

const service = useService()

/** @returns the answer of the agent. */
async function run(command: Command['command'] | { case: undefined }): Promise<CommandResult['result']> {
  const commandId = randomUUID()
  service.send({ case: 'command', value: { commandId, command: command as never } })
  return await waitFor(() => {
    const found = service.getMessages('commandResult').find((one) => one.commandId === commandId)
    return found?.result ?? expect.fail('no result')
  })
}

const find = async () => await run({ case: 'findPrinters', value: {} as never })

test('printers that announce themselves are found, one by name, with the best of their addresses', async () => {
  proves('network.model', 'ask.page-language')
  const suffix = announcePrinters([
    {
      name: 'Office 4.5 [1A]',
      service: '_ipp._tcp',
      port: 631,
      txt: ['rp=ipp/print', 'pdl=image/urf,application/pdf'],
    },
    {
      name: 'Office 4.5 [1A]',
      service: '_ipps._tcp',
      port: 443,
      txt: ['RP=ipp/print', 'ty=Laser', 'pdl=application/pdf'],
    },
    { name: 'Zebra', service: '_pdl-datastream._tcp', port: 9100, txt: ['ty=ZTC ZD420-203dpi ZPL'] },
    { name: 'Zebra', service: '_ipp._tcp', port: 8631, txt: ['pdl=application/vnd.zebra-zpl'] },
    { name: 'No printer', service: '_ipp._tcp', port: 0 },
    { name: 'Old laser', service: '_pdl-datastream._tcp', port: 9100, txt: ['pdl=application/vnd.hp-PCL'] },
    { name: 'Portable', service: '_pdl-datastream._tcp', port: 9100, txt: ['usb_CMD=CPCL'] },
    { name: 'Elsewhere', service: '_ipp._tcp', port: 631, address: '203.0.113.1' },
  ])
  await connectAgent(service, { allowedNetworks: LOOPBACK })
  const [hello] = service.getMessages('hello')
  expect(hello?.commands).toContain('findPrinters')
  const { printers } = (await find()).value as FoundPrinters
  expect(printers.filter(({ name }) => name.endsWith(suffix))).toMatchObject([
    { name: `Office 4.5 [1A]${suffix}`, uri: 'ipps://127.0.0.1:443/ipp/print', model: 'Laser', supportsPdf: true },
    { name: `Old laser${suffix}`, hasPageLanguage: true },
    { name: `Portable${suffix}`, hasPageLanguage: false },
    {
      name: `Zebra${suffix}`,
      uri: 'socket://127.0.0.1:9100',
      model: 'ZTC ZD420-203dpi ZPL',
      raster: { rawLanguage: 'zpl', dpi: 203, width: 812 },
    },
  ])
})

const PDF = buildPdf()
const LABEL = Buffer.from('^XA^FDHello^FS^XZ')
const RECEIPT = Buffer.from('one\x1dVB\0')

/** Moves by itself only. Its pauses end at once. */
const clock = {
  ...SYSTEM_CLOCK,
  uptime: 0,
  pauses: [] as number[],
  uptimeMs: () => clock.uptime,
  sleep: async (ms: number) => void clock.pauses.push(ms),
}

/** Without the waits of a person between two additions. */
const connect = async (allowedNetworks: AgentConfig['allowedNetworks'], dataDir?: string) =>
  await connectAgent(service, { allowedNetworks, clock, ...(dataDir && { dataDir }) })

/** Replaces the networks of this computer. */
function setInterfaces(...cidrs: string[]): void {
  const toInterface = (cidr: string) => ({ cidr, address: cidr.replace(/\/.*/, ''), family: 'IPv4', internal: false })
  os.networkInterfaces = () => ({ eth0: cidrs.map(toInterface) }) as never
  syncBuiltinESMExports()
}

const { networkInterfaces } = os
afterEach(() => {
  os.networkInterfaces = networkInterfaces
  syncBuiltinESMExports()
})

const add = async (name: string, uri: string, raster?: object) => {
  clock.uptime += 5_000
  return await addAtOnce(name, uri, raster)
}
const addAtOnce = async (name: string, uri: string, raster?: object) =>
  await run({ case: 'addPrinter', value: { name, uri, raster } as never })
const remove = async (osName: string) => await run({ case: 'removePrinter', value: { osName } as never })
const list = async () => await run({ case: 'listAddedPrinters', value: {} as never })

const refusal = (message: string) => ({ case: 'failure', value: { message: expect.stringContaining(message) } })
const reported = () =>
  (service.getMessages('printers').at(-1) ?? service.getMessages('hello')[0]?.printers)?.printers ?? []
const waitForState = (jobId: string, state: ReportedState) =>
  waitFor(() => expect(service.getReports(jobId).at(-1)).toMatchObject({ state }))

test('a raw printer is added, prints, is there after a restart, and prints nothing once it is removed', async () => {
  proves('network.added', 'network.removed')
  const device = await startRawPrinter()
  const { dataDir, stop } = await connect(allowPort(device.uri))
  expect(await add('Zebra', device.uri, { rawLanguage: 'zpl', dpi: 203, width: 400 })).toMatchObject({
    case: 'addPrinter',
    value: { osName: 'Zebra' },
  })
  const zebra = { osName: 'Zebra', state: 'online', capabilities: { rasterizes: true, dpis: ['203x203'] } }
  await waitFor(() => expect(reported().find(({ osName }) => osName === 'Zebra')).toMatchObject(zebra))
  const raw = service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, LABEL)
  await waitForState(raw.jobId, ReportedState.DONE)
  // A printer whose language is known is asked first. This one has no answer.
  expect(device.printed()).toEqual([Buffer.concat([Buffer.from('~HS'), LABEL])])
  await stop()
  await connect(allowPort(device.uri), dataDir)
  expect(service.getMessages('hello').at(-1)?.printers?.printers).toContainEqual(
    expect.objectContaining({ osName: 'Zebra' }),
  )
  const drawn = service.print({ printerOsName: 'Zebra' }, PDF)
  await waitForState(drawn.jobId, ReportedState.DONE)
  expect(device.printed()[1]?.toString('latin1')).toMatch(/\^XA[\s\S]*\^GFA/)
  expect(await list()).toMatchObject({ value: { printers: [{ osName: 'Zebra', uri: device.uri }] } })
  device.switchOff()
  const waiting = service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, LABEL)
  await waitFor(() => expect(service.getReports(waiting.jobId).at(-1)?.reasons).toContain('connecting-to-device'))
  expect(await remove('Zebra')).toMatchObject({ case: 'removePrinter' })
  await waitFor(() => expect(reported().map(({ osName }) => osName)).not.toContain('Zebra'))
  await waitForState(waiting.jobId, ReportedState.ERROR)
  expect(service.getReports(waiting.jobId).at(-1)?.reasons).toContain('printer-not-found')
  expect(await list()).toMatchObject({ value: { printers: [] } })
  expect(await remove('Zebra')).toMatchObject(refusal('was not added from the dashboard'))
})

test('the language of a raw printer is set, is there after a restart, and is deleted; others keep theirs', async () => {
  proves(
    'raster.dashboard',
    'raster.kept',
    'raster.driver',
    'raster.owner',
    'raster.questions',
    'capabilities.language',
  )
  const [till, zebra] = [await startRawPrinter(), await startRawPrinter()]
  const dataDir = makeDataDir()
  const printers = [
    { name: 'Till', uri: till.uri },
    { name: 'Zebra', uri: zebra.uri },
  ]
  const options = { dataDir, allowedNetworks: false, printers, rasterize: { Zebra: { rawLanguage: 'zpl' as const } } }
  const set = async (osName: string, raster?: object) =>
    await run({ case: 'setPrinterLanguage', value: { osName, raster } as never })
  const getCapabilities = (osName: string) => reported().find((one) => one.osName === osName)?.capabilities
  const getRaster = (osName: string) => getCapabilities(osName)?.raster
  const { stop } = await connectAgent(service, options)
  const refused = service.print({ printerOsName: 'Till' }, PDF)
  await waitForState(refused.jobId, ReportedState.ERROR)
  expect(service.getReports(refused.jobId).at(-1)?.message).toContain('set the language of a ZPL or ESC/POS printer')
  expect(await set('Till', { rawLanguage: 'escpos', dpi: 180, width: 512 })).toMatchObject({
    case: 'setPrinterLanguage',
  })
  await waitFor(() => expect(getRaster('Till')).toMatchObject({ rawLanguage: 'escpos', dpi: 180, width: 512 }))
  await stop()
  await connectAgent(service, options)
  const drawn = service.print({ printerOsName: 'Till' }, PDF)
  await waitForState(drawn.jobId, ReportedState.DONE)
  expect(till.printed()[0]?.toString('latin1')).toContain('\x1dv0')
  expect(await set('Till')).toMatchObject({ case: 'setPrinterLanguage' })
  await waitFor(() => expect(reported().map(({ osName }) => osName)).toContain('Till'))
  await waitFor(() => expect(getRaster('Till')).toBeUndefined())
  await set('Till', { rawLanguage: 'star' })
  await waitFor(() => expect(getCapabilities('Till')).toMatchObject({ language: 'star', rasterizes: false }))
  expect(await set('Test Label 4x6', { rawLanguage: 'star' })).toMatchObject(refusal('without a queue (socket:)'))
  expect(await set('Zebra', { rawLanguage: 'escpos' })).toMatchObject(refusal('"rasterize" in agent.json'))
  expect(await set('Test A4 Laser', { rawLanguage: 'zpl' })).toMatchObject(refusal('prints PDFs by its driver'))
  expect(await set('Till', { rawLanguage: 'pcl' })).toMatchObject(refusal('"rawLanguage" must be one of "zpl"'))
  expect(await set('Till', { rawLanguage: 'zpl', dpi: 99 })).toMatchObject(refusal('"dpi" must be an integer from 100'))
  expect(await set('__proto__', { rawLanguage: 'zpl' })).toMatchObject(refusal('no longer has this printer'))
})

test('a printer is not added at an address outside of the networks of the computer', async () => {
  proves('network.foreign')
  const device = await startRawPrinter()
  const { port } = new URL(device.uri)
  // The network has no computer, and the port of the printer.
  await connect([`192.0.2.0/24:${port}`])
  // Each is the loopback address, or one without a computer.
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '203.0.113.1'])
    expect([host, await add('Zebra', `socket://${host}:${port}`)]).toMatchObject([
      host,
      refusal('not in a network of the computer'),
    ])
  for (const host of ['localhost', '2130706433'])
    expect([host, await add('Zebra', `socket://${host}:${port}`)]).toMatchObject([host, refusal('No printer answers')])
  expect(device.connections).toEqual([])
})

test('a printer is added only with a port of printers, or one that the owner names for its network', async () => {
  proves('network.ports')
  const device = await startRawPrinter()
  const { port } = new URL(device.uri)
  const { stop } = await connect([...LOOPBACK, `10.0.0.0/8:${port}`])
  for (const uri of ['socket://127.0.0.1:631', 'ipp://127.0.0.1:9100/', 'ipps://localhost:22/'])
    expect([uri, await add('Zebra', uri)]).toMatchObject([uri, refusal(`Port ${new URL(uri).port} is not one of`)])
  expect(await add('Zebra', device.uri)).toMatchObject(refusal('not in a network of the computer'))
  expect(device.connections).toEqual([])
  await stop()
  await connect([`127.0.0.0/8:${port}`])
  expect(await add('Zebra', 'socket://127.0.0.1')).toMatchObject(refusal('not in a network of the computer'))
  expect(await add('Zebra', device.uri)).toMatchObject({ case: 'addPrinter' })
})

test('a printer that does not answer is refused by one sentence after one time, and only the log has the cause', async () => {
  proves('network.one-answer')
  const device = await startRawPrinter()
  const web = await listen(createServer((_, answer) => void answer.writeHead(401).end()))
  const { port } = new URL(device.uri)
  const { dataDir, readLog } = await connect([...allowPort(device.uri), `127.0.0.0/8:${web}`])
  clock.pauses = []
  const results = new Set<unknown>()
  const fail = async (uri: string) => results.add(JSON.stringify(await add('Zebra', uri)))
  device.behaviour = 'hangs up'
  await fail(`ipp://127.0.0.1:${port}/`)
  await fail(`ipp://127.0.0.1:${web}/any/path`)
  await fail(`socket://no..name:${port}`)
  device.switchOff()
  await fail(device.uri)
  await fail(`ipp://127.0.0.1:${port}/`)
  expect([...results]).toEqual([expect.stringContaining('No printer answers at this address.')])
  expect(clock.pauses).toEqual(Array.from({ length: 5 }, () => 7_000))
  const causes = ['ECONNREFUSED', 'HTTP status 401', 'ENOTFOUND', 'not opened']
  for (const cause of causes) expect(readLog()).toContain(cause)
  writeFileSync(join(dataDir, 'agent.log'), readLog())
  const { text } = (await run({ case: 'collectDiagnostics', value: {} as never })).value as CollectedDiagnostics
  // The spooler of this machine may refuse connections as well.
  expect(text).toContain('"msg":"connected"')
  for (const cause of causes.slice(1)) expect(text).not.toContain(cause)
})

test('an agent opens the addresses of additions at least 5 s apart', async () => {
  proves('network.5s')
  const device = await startRawPrinter()
  await connect(allowPort(device.uri))
  expect(await add('Zebra', device.uri)).toMatchObject({ case: 'addPrinter' })
  clock.uptime += 4_999
  expect(await addAtOnce('Till', device.uri)).toMatchObject(refusal('one printer in 5 s'))
  clock.uptime += 1
  expect(await addAtOnce('Till', device.uri)).toMatchObject({ case: 'addPrinter' })
})

test('a printer is asked before it is added, by the rules of additions, and then added at once', async () => {
  proves('ask.new', 'ask.remembered')
  const device = await useEpson({ sheetMs: 20, hasIds: true, names: { 66: 'EPSON', 67: 'TM-T88V' } })
  const foreign = await startRawPrinter()
  await connect(allowPort(device.uri))
  const ask = async (uri: string) =>
    await run({ case: 'askPrinter', value: { printer: { case: 'uri', value: uri } } as never })
  clock.uptime += 5_000
  expect(await ask(device.uri)).toMatchObject({ value: { raster: { rawLanguage: 'escpos', dpi: 180, width: 512 } } })
  expect(await ask(device.uri)).toMatchObject(refusal('one printer in 5 s'))
  expect(await addAtOnce('Till', device.uri, { rawLanguage: 'escpos' })).toMatchObject({ case: 'addPrinter' })
  expect(await addAtOnce('Other', device.uri)).toMatchObject(refusal('one printer in 5 s'))
  expect(await ask(device.uri)).toMatchObject(refusal('has a printer with this address: "Till"'))
  expect(await ask('ipp://127.0.0.1/ipp/print')).toMatchObject(refusal('only a socket: printer can be asked'))
  expect(await ask(foreign.uri)).toMatchObject(refusal('is not one of printers'))
  expect(foreign.connections).toEqual([])
  // It has answered with an id, so that a document of a user is confirmed by it.
  const { jobId } = service.print({ printerOsName: 'Till', contentType: 'raw_base64' }, RECEIPT)
  await waitFor(() => expect(service.getReports(jobId).at(-1)).toMatchObject({ confirmedBy: ConfirmedBy.PRINTER }))
  await device.stop()
  expect(await remove('Till')).toMatchObject({ case: 'removePrinter' })
  clock.uptime += 5_000
  clock.pauses = []
  expect(await ask(device.uri)).toMatchObject(refusal('No printer answers at this address.'))
  expect(clock.pauses).toEqual([7_000])
})

test('a printer of the computer is asked only if it has an address and its owner has not decided', async () => {
  proves('ask.person', 'ask.own', 'ask.owner')
  const [till, zebra] = [await useEpson({ sheetMs: 20, hasIds: true }), await startRawPrinter()]
  const printers = [
    { name: 'Till', uri: till.uri },
    { name: 'Zebra', uri: zebra.uri },
  ]
  const rasterize = { Zebra: { deviceWord: false } }
  await connectAgent(service, { allowedNetworks: false, printers, rasterize })
  const ask = async (osName: string) =>
    await run({ case: 'askPrinter', value: { printer: { case: 'osName', value: osName } } as never })
  expect(await list()).toMatchObject({ value: { askable: ['Till'] } })
  const { jobId } = service.print({ printerOsName: 'Till', contentType: 'raw_base64' }, RECEIPT)
  await waitForState(jobId, ReportedState.DONE)
  // The printer has received no question.
  expect(till.received()).toEqual(RECEIPT)
  expect(await ask('Till')).toMatchObject({ case: 'askPrinter', value: { raster: { rawLanguage: 'escpos' } } })
  expect(await ask('Zebra')).toMatchObject(refusal('"rasterize" in agent.json'))
  expect(await ask('Test Label 4x6')).toMatchObject(refusal('"Test Label 4x6" cannot be asked'))
  expect(zebra.connectionsWithData()).toEqual([])
})

test('an added printer is opened only in a network that the computer has at this time', async () => {
  proves('network.rechecked')
  const device = await startRawPrinter()
  const { uri } = await startIppPrinter()
  const ipp = uri.replace('127.0.0.1', 'localhost')
  const ports = [device.uri, ipp].map((uri) => `127.0.0.0/8:${new URL(uri).port}`)
  setInterfaces('127.0.0.1/8')
  const { dataDir, stop } = await connect(ports)
  expect(await add('Zebra', device.uri)).toMatchObject({ case: 'addPrinter' })
  for (const [name, address] of Object.entries({ Office: uri, Name: ipp }))
    expect(await add(name, address)).toMatchObject({ case: 'addPrinter' })
  await stop()
  const connections = device.connections.length
  setInterfaces('10.0.0.1/8')
  await connect(true, dataDir)
  const detail = '127.0.0.1 is not in a network of the computer'
  const printers = {
    Zebra: { state: 'offline', stateDetail: expect.stringContaining(detail) },
    Office: { state: 'offline', stateDetail: expect.stringContaining(detail) },
    Name: { state: 'offline', stateDetail: 'The printer cannot be reached.' },
  }
  // The second list is that of the doctor and of diagnostics.
  const greeted = service.getMessages('hello').at(-1)?.printers?.printers
  for (const list of [greeted, await listPrinters({ spooler: 'virtual', allowedNetworks: true }, dataDir)])
    for (const [name, printer] of Object.entries(printers))
      expect(list?.find(({ osName }) => osName === name)).toMatchObject(printer)
  const { jobId } = service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, LABEL)
  await waitFor(() => expect(service.getReports(jobId).at(-1)).toMatchObject({ reasons: ['connecting-to-device'] }))
  expect(device.connections).toHaveLength(connections)
})

test('printers that were added before the owner decided go on printing, and the log and the list say what to change', async () => {
  proves('network.kept')
  const device = await startRawPrinter()
  setInterfaces('127.0.0.1/8')
  const dataDir = makeDataDir()
  const added = { printers: [{ name: 'Zebra', uri: device.uri }], rasterize: {} }
  writeFileSync(join(dataDir, 'added-printers.json'), JSON.stringify(added))
  const { readLog } = await connect(undefined, dataDir)
  const { jobId } = service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, LABEL)
  await waitForState(jobId, ReportedState.DONE)
  expect(device.printed()).toEqual([LABEL])
  expect(readLog()).toMatch(/"printers":\["Zebra"\],"refusal":".*set \\"allowedNetworks\\" to true/)
  const refusal = expect.stringContaining('set "allowedNetworks" to true in agent.json')
  expect(await list()).toMatchObject({ value: { printers: [{ osName: 'Zebra' }], refusal } })
  expect(await remove('Zebra')).toMatchObject({ case: 'removePrinter' })
})

test('a printer that is invalid, unknown, silent or has no new name is not added', async () => {
  const device = await startRawPrinter()
  const { uri: ipp } = await startIppPrinter()
  await connect([...allowPort(device.uri), ...allowPort(ipp)])
  expect(await add('', device.uri)).toMatchObject(refusal('"name" must be'))
  expect(await add('Zebra', 'file:///etc/passwd')).toMatchObject(refusal('"uri" must have the form'))
  expect(await add('Zebra', device.uri, { rawLanguage: 'pcl' })).toMatchObject(refusal('"rawLanguage" must be'))
  expect(await add('Office', ipp, { rawLanguage: 'zpl' })).toMatchObject(refusal('only a socket: printer'))
  expect(await add('Test A4 Laser', device.uri)).toMatchObject(refusal('has a printer with the name'))
  device.switchOff()
  expect(await add('Zebra', device.uri)).toMatchObject(refusal('No printer answers'))
  expect(await add('Office', ipp)).toMatchObject({ case: 'addPrinter' })
  expect(await list()).toMatchObject({ value: { printers: [{ osName: 'Office', uri: ipp }], refusal: '' } })
})

test.each([undefined, false])(
  'printers are found and added only if the owner permits it, not with allowedNetworks %s',
  async (allowedNetworks) => {
    proves('network.permitted')
    const device = await startRawPrinter()
    setInterfaces('127.0.0.1/8')
    await connect(allowedNetworks)
    const notPermitted = refusal('set "allowedNetworks" to true in agent.json')
    expect(await find()).toMatchObject(notPermitted)
    expect(await add('Zebra', device.uri)).toMatchObject(notPermitted)
    expect(await add('Zebra', 'socket://127.0.0.1')).toMatchObject(notPermitted)
    expect(await list()).toMatchObject({ value: { refusal: notPermitted.value.message } })
    expect(device.connections).toEqual([])
  },
)

test('a command that the agent does not know is refused', async () => {
  await connect(LOOPBACK)
  const unknown = await run({ case: undefined })
  expect(unknown).toMatchObject({ case: 'failure', value: { message: expect.stringContaining('does not know') } })
})

test('an agent inside of a service accepts no commands', async () => {
  await connectAgent(service)
  expect(service.getMessages('hello')[0]?.commands).toEqual([])
  expect(await find()).toMatchObject({ case: 'failure' })
})

test('diagnostics have the end of the log and fit into 256 KiB, without paths', async () => {
  proves('agent.diagnostics')
  const { dataDir } = await connectAgent(service, { allowedNetworks: LOOPBACK })
  const lines = Array.from({ length: 5_000 }, (_, n) => JSON.stringify({ n, msg: `${dataDir}/documents: EACCES` }))
  writeFileSync(join(dataDir, 'agent.log'), `${lines.join('\n')}\n`)
  const { text } = (await run({ case: 'collectDiagnostics', value: {} as never })).value as CollectedDiagnostics
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(DIAGNOSTICS_MAX_BYTES)
  expect(Buffer.byteLength(text)).toBeGreaterThan(DIAGNOSTICS_MAX_BYTES - 1_000)
  expect(text).toContain('"phases": {}')
  expect(text).toMatch(/== log\.jsonl ==\n\{"n":\d+,"msg":"the data directory\/documents: EACCES"\}\n/)
  expect(text.trimEnd().split('\n').at(-1)).toContain('"n":4999')
  for (const secret of [dataDir, CREDENTIAL]) expect(text).not.toContain(secret)
})
