/** Against a real CUPS. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { whyNoCups } from '../../../test/cups/find-cups.ts'
import { QUEUES, startCups, type TestCups } from '../../../test/cups/start-cups.ts'
import { freePort } from '../../../test/harness/free-port.ts'
import { makePdf } from '../../../test/harness/pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { openIppClient } from '../../ipp/client.ts'
import { findCups } from '../../spoolers/cups/connect-cups.ts'
import { type CupsPrintersOptions, createCupsPrinters } from '../../spoolers/cups/cups-printers.ts'
import { askDevice } from '../../spoolers/cups/devices.ts'
import { makeDataDir } from '../start-agent.ts'

// Half a dozen programs start for CUPS, and some for each document.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

/** A list waits no longer for a device, and asks it again a minute later: a busy one shall not miss that. */
const ANSWER_LIMIT_MS = 20_000

describe.skipIf(await whyNoCups())('printers of CUPS', () => {
  let cups: TestCups
  beforeAll(async () => {
    cups = await startCups()
  })
  afterAll(() => cups?.stop())

  function open(options: Partial<CupsPrintersOptions> = {}, server = cups.server) {
    const client = openIppClient(findCups(server))
    onTestFinished(() => client.close())
    const list = createCupsPrinters({ client, ask: (uri) => askDevice(uri, ANSWER_LIMIT_MS), ...options })
    const named = async (name: string) => (await list()).find(({ osName }) => osName === name)
    return { list, named }
  }

  test('all are listed over TCP and over the socket, with what their devices can do', async () => {
    const overTcp = await open().list()
    expect(overTcp.map(({ osName }) => osName)).toEqual(['A4_Laser', 'Label_4x6', 'Null_Raw', 'Zpl_Raw'])
    expect(overTcp[0]).toMatchObject({
      name: 'A4_Laser',
      description: 'Printer - IPP Everywhere',
      state: 'online',
      stateDetail: '',
      stateReasons: [],
      isDefault: false,
      capabilities: { dpis: ['300x300', '600x600'], printrate: { rate: 38, unit: 'ppm' }, copies: 99, duplex: true },
    })
    expect(await open({}, cups.socketPath).list()).toEqual(overTcp)
  })

  test('one is the default, when somebody has said so, and then another', async () => {
    const { list } = open()
    const defaults = async () => (await list()).filter(({ isDefault }) => isDefault).map(({ osName }) => osName)
    expect(await defaults()).toEqual([])
    await cups.run('lpadmin', '-d', QUEUES.label)
    expect(await defaults()).toEqual([QUEUES.label])
    await cups.run('lpadmin', '-d', QUEUES.laser)
    expect(await defaults()).toEqual([QUEUES.laser])
  })

  test('one that is added is there, by the name that people gave it, and gone when it is removed', async () => {
    const { named } = open()
    await cups.run('lpadmin', '-p', 'Till', '-E', '-v', 'socket://127.0.0.1:9', '-m', 'raw', '-D', 'Till 3 at the door')
    expect(await named('Till')).toMatchObject({
      name: 'Till 3 at the door',
      description: 'Local Raw Printer',
      state: 'online',
    })
    await cups.run('lpadmin', '-x', 'Till')
    expect(await named('Till')).toBeUndefined()
  })

  test('one that is stopped or rejects jobs is offline, and online again afterwards', async () => {
    const { named } = open()
    const state = async () => (await named(QUEUES.null)) ?? {}
    await cups.run('cupsdisable', '-r', 'Toner is on its way', QUEUES.null)
    expect(await state()).toMatchObject({
      state: 'offline',
      stateDetail: 'The printer is stopped: Toner is on its way',
      stateReasons: expect.arrayContaining(['printer-stopped']),
    })
    await cups.run('cupsenable', QUEUES.null)
    expect(await state()).toMatchObject({ state: 'online', stateDetail: '', stateReasons: [] })
    await cups.run('cupsreject', QUEUES.null)
    expect(await state()).toMatchObject({ state: 'offline', stateReasons: ['printer-stopped'] })
    await cups.run('cupsaccept', QUEUES.null)
    expect(await state()).toMatchObject({ state: 'online', stateDetail: '', stateReasons: [] })
  })

  test('one without paper stays online and says so, until it is refilled', async () => {
    const { named } = open()
    const file = `${makeDataDir()}/invoice.pdf`
    await writePdf(file)
    cups.laser.emptyMedia(true)
    await cups.run('lp', '-d', QUEUES.laser, file)
    await waitFor(async () =>
      expect(await named(QUEUES.laser)).toMatchObject({
        state: 'online',
        stateDetail: 'The printer is out of paper.',
        stateReasons: ['media-empty'],
      }),
    )
    cups.laser.emptyMedia(false)
    await waitFor(async () => expect(await named(QUEUES.laser)).toMatchObject({ stateDetail: '', stateReasons: [] }))
  })

  test('one whose device cannot be reached for 30 s is offline, not before, and online again once it is', async () => {
    let nowMs = 0
    const { list, named } = open({ now: () => nowMs })
    const zpl = `${makeDataDir()}/label.zpl`
    await writePdf(zpl)
    await cups.socketPrinter.stop()
    await cups.run('lp', '-d', QUEUES.raw, '-o', 'raw', zpl)
    await waitFor(async () => expect(await cups.run('lpstat', '-l', '-p', QUEUES.raw)).toMatch(/unavailable/))
    await list()
    nowMs = 29_999
    expect(await named(QUEUES.raw)).toMatchObject({ state: 'online' })
    nowMs = 30_000
    expect(await named(QUEUES.raw)).toMatchObject({
      state: 'offline',
      stateDetail: 'The printer cannot be reached.',
      stateReasons: ['connecting-to-device'],
    })
    await cups.socketPrinter.start()
    await waitFor(async () => expect(await named(QUEUES.raw)).toMatchObject({ state: 'online' }), 60_000)
  }, 90_000)

  test('a device that is down is listed with what CUPS knows, and asked again after a minute', async () => {
    let nowMs = 0
    await cups.laser.stop()
    onTestFinished(() => cups.laser.start())
    const { named } = open({ now: () => nowMs })
    expect(await named(QUEUES.laser)).toMatchObject({ capabilities: { dpis: ['300x300'], printrate: undefined } })
    await cups.laser.start()
    nowMs = 59_999
    await named(QUEUES.laser)
    expect(await named(QUEUES.laser)).toMatchObject({ capabilities: { dpis: ['300x300'] } })
    nowMs = 60_000
    await waitFor(async () =>
      expect(await named(QUEUES.laser)).toMatchObject({ capabilities: { dpis: ['300x300', '600x600'] } }),
    )
  })

  test('a device that is slow delays the first list at most, and is in a later one', async () => {
    let asked = 0
    let answer: (attributes: object) => void = () => undefined
    const { list, named } = open({
      ask: (uri) => {
        asked++
        if (uri !== cups.label.uri) return Promise.resolve(undefined)
        return new Promise((resolve) => {
          answer = () => resolve({ 'pages-per-minute': [7] })
        })
      },
    })
    const first = list()
    await waitFor(() => expect(asked).toBe(2))
    answer({})
    await first
    expect(await named(QUEUES.label)).toMatchObject({ capabilities: { printrate: { rate: 7, unit: 'ppm' } } })
    expect(asked).toBe(2)
  })

  test('a device that takes connections and does not answer is no longer waited for', async () => {
    const silent = createServer((socket) => socket.on('error', () => socket.destroy()).resume())
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    expect(await askDevice(`ipp://127.0.0.1:${port}/ipp/print`, 50)).toBeUndefined()
  })

  test('a device is asked over TLS though it signed its own certificate, but not where somebody has to vouch for it', async () => {
    const url = cups.laser.uri.replace('ipp:', 'ipps:')
    const ask = async (caFile?: string) => {
      const client = openIppClient({ url, caFile })
      onTestFinished(() => client.close())
      return client.request({ operation: 'Get-Printer-Attributes' })
    }
    expect((await ask()).printers[0]?.['printer-make-and-model']).toEqual(['Acme Laser A4'])
    const nobody = `${makeDataDir()}/ca.pem`
    await writeFile(nobody, rootCertificates[0] ?? '')
    await expect(ask(nobody)).rejects.toMatchObject({ name: 'IppConnectionError', connected: false })
  })

  test('a CUPS that is not there is an error, and no list without printers', async () => {
    await expect(open({}, `127.0.0.1:${await freePort()}`).list()).rejects.toThrow('cannot be reached (ECONNREFUSED)')
  })
})

const writePdf = (file: string) => writeFile(file, makePdf('Invoice'))
