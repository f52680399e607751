/** Raw queues of CUPS for printers that the agent can open by their address. */
import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { ConfirmedBy, ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Command } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { useEpson } from '../../../test/devices/print-on.ts'
import { proves } from '../../../test/harness/rules.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { runCommandLine } from '../../cli/command-line.ts'
import { processIo } from '../../cli/io.ts'
import type { AgentConfig } from '../../config.ts'
import { toRawAddress } from '../../spoolers/cups/raw-address.ts'
import { allowPort } from '../dns-sd.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent, makeDataDir } from '../start-agent.ts'
import { writeConfig } from '../start-program.ts'
import { addRawQueue, cups, hasCups, PRINT_TIMEOUT_MS } from './on-cups.ts'

test.each([
  ['socket://192.168.0.9', 'socket://192.168.0.9'],
  ['socket://label.local:9101/', 'socket://label.local:9101'],
  ['socket://10.0.0.9:9100/?waiteof=off&contimeout=60', 'socket://10.0.0.9:9100?waiteof=false'],
  ['socket://[fd00::9]:9100', 'socket://[fd00::9]:9100'],
  ['socket:', undefined],
  ['usb://Zebra/ZD420', undefined],
  ['ipp://10.0.0.9/ipp/print', undefined],
  ['', undefined],
])('a queue with the device %j has the address %j', (deviceUri, uri) => {
  expect(toRawAddress(deviceUri)).toBe(uri)
})

describe.skipIf(!hasCups)('a raw queue for a printer at a port', () => {
  const service = useService()
  const RECEIPT = Buffer.from('one\x1dVB\0')

  beforeEach(() => {
    vi.stubEnv('CUPS_SERVER', cups.socketPath)
    onTestFinished(() => void vi.unstubAllEnvs())
  })

  async function run(command: { case: Command['command']['case']; value: object }) {
    const commandId = randomUUID()
    service.send({ case: 'command', value: { commandId, command: command as never } })
    return await waitFor(() => {
      const found = service.getMessages('commandResult').find((one) => one.commandId === commandId)
      return found?.result ?? expect.fail('no result')
    }, PRINT_TIMEOUT_MS)
  }

  /** The queues of other tests are in the list. */
  async function list(name: string) {
    const { value } = await run({ case: 'listAddedPrinters', value: {} })
    return (value as { queues: { osName: string; uri: string }[] }).queues.find(({ osName }) => osName === name)
  }

  async function doctor(queue: string, config: Partial<AgentConfig>) {
    const dir = makeDataDir()
    writeConfig(dir, { agentUrl: 'http://127.0.0.1:1', spooler: 'system', ...config })
    const stdout = new PassThrough()
    const chunks: Buffer[] = []
    stdout.on('data', (chunk) => chunks.push(chunk))
    await runCommandLine(['doctor', '--data-dir', dir], { ...processIo, stdout, stderr: stdout })
    const lines = Buffer.concat(chunks).toString().split('\n')
    return lines.find((line) => line.includes(`${queue} is a queue`))
  }

  test('can be added as a printer with its own word, and stays a printer that prints as before', async () => {
    proves('queues.add', 'queues.stay')
    const device = await useEpson({ sheetMs: 20, hasIds: true })
    const queue = await addRawQueue(`${device.uri}/?contimeout=60`)
    await connectAgent(service, { hasSystemSpooler: true, allowedNetworks: allowPort(device.uri) })
    expect(await list(queue)).toMatchObject({ osName: queue, uri: device.uri })
    const direct = { name: `${queue} direct`, uri: device.uri, raster: { rawLanguage: 'escpos' } }
    expect(await run({ case: 'askPrinter', value: { printer: { case: 'uri', value: device.uri } } })).toMatchObject({
      value: { raster: { rawLanguage: 'escpos' } },
    })
    expect(await run({ case: 'addPrinter', value: direct })).toMatchObject({ case: 'addPrinter' })
    expect(await list(queue)).toBeUndefined()
    const confirmed = []
    for (const printerOsName of [queue, direct.name]) {
      const { jobId } = service.print({ printerOsName, contentType: 'raw_base64' }, RECEIPT)
      await waitFor(
        () => expect(service.getReports(jobId).at(-1)).toMatchObject({ state: ReportedState.DONE }),
        PRINT_TIMEOUT_MS,
      )
      confirmed.push(service.getReports(jobId).at(-1)?.confirmedBy)
    }
    expect(confirmed).toEqual([ConfirmedBy.SPOOLER, ConfirmedBy.PRINTER])
    expect(device.sheets.map(({ text }) => text)).toEqual(['one', 'one'])
  })

  test('is shown without its address, and with what to change, if the owner permits no printers', async () => {
    proves('queues.permitted')
    const device = await useEpson({ sheetMs: 20, hasIds: true })
    const queue = await addRawQueue(device.uri)
    await connectAgent(service, { hasSystemSpooler: true, allowedNetworks: false })
    expect(await list(queue)).toMatchObject({ osName: queue, uri: '' })
    const offer = `sends to ${device.uri} and passes on nothing that the printer says. Let Platen print to this address itself`
    expect(await doctor(queue, {})).toContain(offer)
    expect(await doctor(queue, {})).toContain('set "allowedNetworks" to true in agent.json')
    expect(await doctor(queue, { allowedNetworks: true })).toContain(
      'on the page of the printer in the dashboard, or in',
    )
    expect(await doctor(queue, { printers: [{ name: 'Direct', uri: device.uri }] })).toBeUndefined()
    expect(device.received()).toHaveLength(0)
  })
})
