/** The printers of a real CUPS, and an agent that reports them. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { openIppClient } from '../../ipp/client.ts'
import { findCups } from '../../spoolers/cups/connect-cups.ts'
import { type CupsPrintersOptions, createCupsPrinters } from '../../spoolers/cups/cups-printers.ts'
import { queryDevice } from '../../spoolers/cups/devices.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { useService } from '../scripted-service.ts'
import { makeDataDir, startAgent } from '../start-agent.ts'
import {
  addRawQueue,
  createSubmission,
  cups,
  hasCups,
  openSpooler,
  PRINT_TIMEOUT_MS,
  run,
  useDevice,
} from './on-cups.ts'

const { PRINTING, DONE, ERROR } = ReportedState

/** Longer than in production, because a device that does not answer in time is queried again only after a minute. */
const ANSWER_TIMEOUT_MS = 20_000

describe.skipIf(!hasCups)('printers of CUPS', () => {
  const laser = useDevice('laser')

  function open(options: Partial<CupsPrintersOptions> = {}, server = cups.server) {
    const client = openIppClient(findCups(server))
    onTestFinished(() => client.close())
    const list = createCupsPrinters({ client, queryDevice: (uri) => queryDevice(uri, ANSWER_TIMEOUT_MS), ...options })
    return async (name = laser.queue) => (await list()).find(({ osName }) => osName === name)
  }

  test('are listed over TCP and over the socket, with the capabilities of their devices', async () => {
    const printer = await open()()
    expect(printer).toMatchObject({
      name: laser.queue,
      description: 'Printer - IPP Everywhere',
      ...{ state: 'online', stateDetail: '', stateReasons: [] },
      capabilities: { dpis: ['300x300', '600x600'], printrate: { rate: 38, unit: 'ppm' }, copies: 99, duplex: true },
    })
    expect((await open({}, cups.socketPath)())?.capabilities).toEqual(printer?.capabilities)
  })

  test('have a default that can change', async () => {
    const find = open()
    const other = await addRawQueue('file:///dev/null')
    for (const [now, before] of [
      [other, laser.queue],
      [laser.queue, other],
    ]) {
      await run('lpadmin', '-d', now ?? '')
      expect([(await find(now))?.isDefault, (await find(before))?.isDefault]).toEqual([true, false])
    }
  })

  test('are offline while they are stopped or reject jobs', async () => {
    proves('printer.stopped', 'printer.rejecting', 'state-reason.printer-stopped')
    const find = open()
    const queue = await addRawQueue('file:///dev/null', '-m', 'raw', '-D', 'Till 3 near the door')
    const online = { state: 'online', stateDetail: '', stateReasons: [] }
    const name = { name: 'Till 3 near the door', description: 'Local Raw Printer' }
    expect(await find(queue)).toMatchObject({ ...name, ...online })
    await run('cupsdisable', '-r', 'Toner is ordered', queue)
    expect(await find(queue)).toMatchObject({
      state: 'offline',
      stateDetail: 'The printer is stopped: Toner is ordered.',
      stateReasons: expect.arrayContaining(['printer-stopped']),
    })
    await run('cupsenable', queue)
    expect(await find(queue)).toMatchObject(online)
    await run('cupsreject', queue)
    expect(await find(queue)).toMatchObject({ state: 'offline', stateReasons: ['printer-stopped'] })
    await run('cupsaccept', queue)
    expect(await find(queue)).toMatchObject(online)
  })

  test('are offline after their device was unreachable for 30 s, not before', async () => {
    let nowMs = 0
    const find = open({ now: () => nowMs })
    const printer = await startRawPrinter()
    printer.switchOff()
    const queue = await addRawQueue(printer.uri)
    const spooler = openSpooler()
    const { spoolerJobId } = await spooler.submitHeld(createSubmission(queue, { contentType: 'raw_base64' }))
    await spooler.release(spoolerJobId)
    await waitFor(async () => expect(await run('lpstat', '-l', '-p', queue)).toMatch(/unavailable/))
    await find(queue)
    nowMs = 29_999
    expect(await find(queue)).toMatchObject({ state: 'online' })
    nowMs = 30_000
    const stateReasons = ['connecting-to-device']
    const stateDetail = 'The printer cannot be reached.'
    expect(await find(queue)).toMatchObject({ state: 'offline', stateDetail, stateReasons })
    await printer.switchOn()
    await waitFor(async () => expect(await find(queue)).toMatchObject({ state: 'online' }), PRINT_TIMEOUT_MS)
  })

  test('have the capabilities of CUPS while their device is off, and the device is queried again after a minute', async () => {
    let nowMs = 0
    await laser.device.stop()
    const find = open({ now: () => nowMs })
    const known = { capabilities: { dpis: ['300x300'], printrate: undefined } }
    expect(await find().finally(() => laser.device.start())).toMatchObject(known)
    nowMs = 59_999
    await find()
    expect(await find()).toMatchObject(known)
    nowMs = 60_000
    await waitFor(async () => expect(await find()).toMatchObject({ capabilities: { dpis: ['300x300', '600x600'] } }))
  })

  test('are queried over TLS with a self-signed certificate, unless an authority is configured', async () => {
    const url = laser.device.uri.replace('ipp:', 'ipps:')
    const query = async (caFile?: string) => {
      const client = openIppClient({ url, caFile })
      onTestFinished(() => client.close())
      return client.request({ operation: 'Get-Printer-Attributes' })
    }
    expect((await query()).printers[0]?.['printer-make-and-model']).toEqual(['Acme Laser A4'])
    const other = `${makeDataDir()}/ca.pem`
    await writeFile(other, rootCertificates[0] ?? '')
    await expect(query(other)).rejects.toMatchObject({ name: 'IppConnectionError', connected: false })
  })

  describe('an agent', () => {
    const service = useService()

    const states = (jobId: string) => service.getReports(jobId).map(({ state, reasons }) => [state, ...reasons])
    const latest = () => service.getMessages('printers').at(-1) ?? service.getMessages('hello').at(-1)?.printers
    const reported = (name: string) => latest()?.printers.find(({ osName }) => osName === name)

    async function connect() {
      startAgent(service, { spooler: openSpooler() })
      await waitFor(() => expect(reported(laser.queue)).toBeDefined())
    }

    test('reports why a job waits, and the state of its printer', async () => {
      proves('state-reason.media-empty', 'printer.out-of-paper')
      await connect()
      laser.device.emptyMedia(true)
      onTestFinished(() => laser.device.emptyMedia(false))
      const { jobId } = service.print({ printerOsName: laser.queue }, buildPdf())
      await waitFor(() => expect(states(jobId).at(-1)).toEqual([PRINTING, 'media-empty']), PRINT_TIMEOUT_MS)
      const empty = { state: 'online', stateDetail: 'The printer is out of paper.', stateReasons: ['media-empty'] }
      await waitFor(() => expect(reported(laser.queue)).toMatchObject(empty))
      laser.device.emptyMedia(false)
      await waitFor(() => expect(states(jobId).at(-1)).toEqual([DONE]), PRINT_TIMEOUT_MS)
      await waitFor(() => expect(reported(laser.queue)).toMatchObject({ stateDetail: '', stateReasons: [] }))
    })

    test('prints the jobs of a printer that is switched off when it returns; none was reported as printing before', async () => {
      proves('offline.unreachable')
      const spooler = openSpooler()
      startAgent(service, { spooler })
      await waitFor(() => expect(reported(laser.queue)).toBeDefined())
      await laser.device.stop()
      const before = laser.device.printed().length
      const print = () => service.print({ printerOsName: laser.queue }, buildPdf()).jobId
      const jobIds = Array.from({ length: 5 }, print)
      const [first = '', second = '', ...others] = jobIds
      const isConnecting = () =>
        waitFor(async () => expect(await run('lpstat', '-l', '-p', laser.queue)).toMatch(/unavailable/))
      for (const removed of [first, second]) {
        await isConnecting()
        expect(await spooler.find(removed)).toMatchObject({ state: { is: 'pending' } })
        // The service does so with a job that is `printing` for 15 minutes.
        service.send({ case: 'remove', value: { jobId: removed } })
        await waitFor(() => expect(states(removed).at(-1)?.[0]).toBe(ERROR))
      }
      await isConnecting()
      expect(jobIds.flatMap(states).filter(([state]) => state === PRINTING)).toEqual([])
      await laser.device.start()
      await waitFor(
        () => expect(others.map((id) => states(id).at(-1)?.[0])).toEqual(others.map(() => DONE)),
        PRINT_TIMEOUT_MS,
      )
      expect(laser.device.printed()).toHaveLength(before + others.length)
    })

    test('waits with the first job of each printer that is switched off, and prints each once when they return', async () => {
      proves('offline.unreachable')
      const printers = await Promise.all(Array.from({ length: 10 }, () => startRawPrinter()))
      for (const printer of printers) printer.switchOff()
      const queues = await Promise.all(printers.map(({ uri }) => addRawQueue(uri)))
      await connect()
      const documents = printers.map(() => randomBytes(1_000))
      const jobIds = queues.map(
        (printerOsName, at) => service.print({ printerOsName, contentType: 'raw_base64' }, documents[at]).jobId,
      )
      const isConnecting = async (queue: string) =>
        expect(await run('lpstat', '-l', '-p', queue)).toMatch(/unavailable|in use/)
      for (const queue of queues) await waitFor(() => isConnecting(queue))
      expect(jobIds.flatMap(states)).toEqual([])
      await Promise.all(printers.map((printer) => printer.switchOn()))
      for (const jobId of jobIds)
        await waitFor(() => expect(states(jobId)).toEqual([[PRINTING], [DONE]]), PRINT_TIMEOUT_MS)
      expect(printers.map((printer) => printer.printed())).toEqual(documents.map((document) => [document]))
    })
  })

  test('that return and then read nothing have a job that is printing', async () => {
    const printer = await startRawPrinter('reads nothing')
    printer.switchOff()
    const spooler = openSpooler()
    const job = createSubmission(await addRawQueue(printer.uri), {
      contentType: 'raw_base64',
      document: Buffer.alloc(8e6),
    })
    const { spoolerJobId } = await spooler.submitHeld(job)
    await spooler.release(spoolerJobId)
    await waitFor(async () => expect(await spooler.state(spoolerJobId)).toEqual({ is: 'pending', reasons: [] }))
    await printer.switchOn()
    await waitFor(
      async () => expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'processing' }),
      PRINT_TIMEOUT_MS,
    )
    await spooler.remove(spoolerJobId)
  })
})
