/** Commands of users to the agent. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIAGNOSTICS_MAX_BYTES } from '@platen/proto/agent-bounds.ts'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type {
  CollectedDiagnostics,
  Command,
  CommandResult,
  FoundPrinters,
} from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { announcePrinters, LOOPBACK } from '../dns-sd.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { startIppPrinter } from '../scripted-ipp-printer.ts'
import { CREDENTIAL, useService } from '../scripted-service.ts'
import { connectAgent } from '../start-agent.ts'

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
    { name: 'Zebra', service: '_pdl-datastream._tcp', port: 9100, txt: ['ty=ZD420'] },
    { name: 'Zebra', service: '_ipp._tcp', port: 8631, txt: ['pdl=application/vnd.zebra-zpl'] },
    { name: 'No printer', service: '_ipp._tcp', port: 0 },
    { name: 'Elsewhere', service: '_ipp._tcp', port: 631, address: '203.0.113.1' },
  ])
  await connectAgent(service, { allowedNetworks: LOOPBACK })
  const [hello] = service.getMessages('hello')
  expect(hello?.commands).toContain('findPrinters')
  const { printers } = (await find()).value as FoundPrinters
  expect(printers.filter(({ name }) => name.endsWith(suffix))).toMatchObject([
    { name: `Office 4.5 [1A]${suffix}`, uri: 'ipps://127.0.0.1:443/ipp/print', model: 'Laser', supportsPdf: true },
    { name: `Zebra${suffix}`, uri: 'socket://127.0.0.1:9100', model: 'ZD420' },
  ])
})

const PDF = buildPdf()
const LABEL = Buffer.from('^XA^FDHello^FS^XZ')

const add = async (name: string, uri: string, raster?: object) =>
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
  const { dataDir, stop } = await connectAgent(service, { allowedNetworks: LOOPBACK })
  expect(await add('Zebra', device.uri, { rawLanguage: 'zpl', dpi: 203, width: 400 })).toMatchObject({
    case: 'addPrinter',
    value: { osName: 'Zebra' },
  })
  const zebra = { osName: 'Zebra', state: 'online', capabilities: { rasterizes: true, dpis: ['203x203'] } }
  await waitFor(() => expect(reported().find(({ osName }) => osName === 'Zebra')).toMatchObject(zebra))
  const raw = service.print({ printerOsName: 'Zebra', contentType: 'raw_base64' }, LABEL)
  await waitForState(raw.jobId, ReportedState.DONE)
  expect(device.printed()).toEqual([LABEL])
  await stop()
  await connectAgent(service, { dataDir, allowedNetworks: LOOPBACK })
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

test('a printer is not added at an address outside of the networks of the computer', async () => {
  proves('network.foreign')
  const device = await startRawPrinter()
  await connectAgent(service, { allowedNetworks: [] })
  // Each is the loopback address, or one of nobody.
  const { port } = new URL(device.uri)
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '203.0.113.1'])
    expect([host, await add('Zebra', `socket://${host}:${port}`)]).toMatchObject([
      host,
      refusal('not in a network of the computer'),
    ])
  expect(device.connections).toEqual([])
})

test('a printer that is invalid, unknown, silent or has no new name is not added', async () => {
  const device = await startRawPrinter()
  const { uri: ipp } = await startIppPrinter()
  await connectAgent(service, { allowedNetworks: LOOPBACK })
  expect(await add('', device.uri)).toMatchObject(refusal('"name" must be'))
  expect(await add('Zebra', 'file:///etc/passwd')).toMatchObject(refusal('"uri" must have the form'))
  expect(await add('Zebra', device.uri, { rawLanguage: 'pcl' })).toMatchObject(refusal('"rawLanguage" must be'))
  expect(await add('Office', ipp, { rawLanguage: 'zpl' })).toMatchObject(refusal('only a socket: printer'))
  expect(await add('Test A4 Laser', device.uri)).toMatchObject(refusal('has a printer with the name'))
  device.behaviour = 'hangs up'
  expect(await add('Office', device.uri.replace('socket', 'ipp'))).toMatchObject(refusal('cannot be reached'))
  device.switchOff()
  expect(await add('Zebra', device.uri)).toMatchObject(refusal('Check the address'))
  expect(await add('Office', ipp)).toMatchObject({ case: 'addPrinter' })
  expect(await list()).toMatchObject({ value: { printers: [{ osName: 'Office', uri: ipp }] } })
})

test('the owner can forbid to find and add printers, and a command that the agent does not know is refused', async () => {
  proves('network.forbidden')
  await connectAgent(service, { allowedNetworks: false })
  expect(await find()).toMatchObject({ case: 'failure', value: { message: expect.stringContaining('forbidden') } })
  expect(await add('Zebra', 'socket://127.0.0.1:9100')).toMatchObject(refusal('forbidden'))
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
