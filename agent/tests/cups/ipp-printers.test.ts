/** IPP printers of the configuration of the agent, without a queue in the operating system. */
import { randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { proves } from '@platen/test/harness/rules.ts'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { startDevice } from '../../../test/cups/device.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { openIppClient } from '../../ipp/client.ts'
import { inspectPdfs } from '../../spoolers/inspect-pdfs.ts'
import { createNetworkSpooler } from '../../spoolers/network/network-spooler.ts'
import type { Spooler, SpoolerState } from '../../spoolers/spooler.ts'
import { makeDataDir } from '../start-agent.ts'
import { createQueueName, createSubmission, cups, hasCups, PRINT_TIMEOUT_MS, useDevice } from './on-cups.ts'

describe.skipIf(!hasCups)('an IPP printer without a queue', () => {
  const laser = useDevice('laser')
  const label = useDevice('label')

  const listPrinters = () => [
    { name: 'Laser', uri: laser.device.uri },
    { name: 'Label', uri: label.device.uri },
  ]

  async function openNetworkSpooler(dir = makeDataDir(), printers = listPrinters()) {
    const log = pino({ level: 'silent' })
    const network = createNetworkSpooler({ dir, printers, log, backoff: { baseMs: 50, maxMs: 200 } })
    const spooler = inspectPdfs(network)
    spooler.start?.()
    onTestFinished(() => void spooler.close?.())
    return { dir, spooler }
  }

  const waitForPrinters = (spooler: Spooler) =>
    waitFor(async () => {
      const printers = await spooler.printers()
      expect(printers).toMatchObject([{ state: 'online' }, { state: 'online' }])
      return printers
    }, PRINT_TIMEOUT_MS)

  const waitForState = (spooler: Spooler, id: string, state: Partial<SpoolerState>) =>
    waitFor(async () => expect(await spooler.state(id)).toMatchObject(state), PRINT_TIMEOUT_MS)

  async function start(spooler: Spooler, changes: Parameters<typeof createSubmission>[1] = {}) {
    const before = laser.device.printed().length
    const { spoolerJobId: id, warnings } = await spooler.submitHeld(createSubmission('Laser', changes))
    await spooler.release(id)
    return { id, warnings, printed: () => laser.device.printed().slice(before) }
  }

  async function openJobs() {
    const client = openIppClient({ url: laser.device.uri })
    const attributes = { 'which-jobs': { syntax: 'keyword', value: 'not-completed' } } as const
    return (await client.request({ operation: 'Get-Jobs', attributes }).finally(() => client.close())).jobs
  }
  const waitForOpenJobs = (count: number) =>
    waitFor(async () => expect(await openJobs()).toHaveLength(count), PRINT_TIMEOUT_MS)

  // The job of the previous test may still be printing.
  beforeEach(() => waitForOpenJobs(0))

  test('is reported with its capabilities, and prints a PDF with its options', async () => {
    const { spooler } = await openNetworkSpooler()
    const [printer] = await waitForPrinters(spooler)
    expect(printer).toMatchObject({
      ...{ osName: 'Laser', stateReasons: [] },
      capabilities: {
        duplex: true,
        color: false,
        copies: 99,
        dpis: ['300x300', '600x600'],
        printrate: { rate: 38 },
        formats: { names: ['pdf', 'raw'] },
      },
    })
    const document = buildPdf({ pages: 3 })
    const options = { duplex: 'long-edge', pages: '1-2', rotate: 90 }
    const { id, warnings, printed } = await start(spooler, { document, qty: 2, options })
    expect(warnings).toEqual([])
    await waitForState(spooler, id, { is: 'completed' })
    const attributes = { IPP_COPIES: '2', IPP_SIDES: 'two-sided-long-edge', IPP_PAGE_RANGES: '1-2' }
    await waitFor(() => expect(printed()).toMatchObject([{ attributes, bytes: document }]))
  })

  test('of IPP 1.1 is online and prints', async () => {
    const name = createQueueName()
    const device = await startDevice('ipp11', name, join(cups.directory, name), cups.busSocketPath)
    onTestFinished(device.stop)
    const { spooler } = await openNetworkSpooler(makeDataDir(), [{ name: 'Laser', uri: device.uri }])
    await waitFor(async () => expect(await spooler.printers()).toMatchObject([{ state: 'online', stateDetail: '' }]))
    const { spoolerJobId } = await spooler.submitHeld(createSubmission('Laser'))
    await spooler.release(spoolerJobId)
    await waitForState(spooler, spoolerJobId, { is: 'completed' })
    await waitFor(() => expect(device.printed()).toHaveLength(1))
  })

  test('prints the selected pages that the document has, and refuses the job without any', async () => {
    proves('option.pages.partly', 'option.pages.none')
    const { spooler } = await openNetworkSpooler()
    await waitForPrinters(spooler)
    const document = buildPdf({ pages: 3 })
    const { id, warnings, printed } = await start(spooler, { document, options: { pages: '2-9' } })
    expect(warnings).toEqual([expect.stringContaining('pages `4-9`')])
    await waitForState(spooler, id, { is: 'completed' })
    await waitFor(() => expect(printed()).toMatchObject([{ attributes: { IPP_PAGE_RANGES: '2-3' } }]))
    const refusal = { name: 'SpoolerRefusal', reasons: ['page-ranges-not-in-document'] }
    const submitted = spooler.submitHeld(createSubmission('Laser', { document, options: { pages: '7' } }))
    await expect(submitted).rejects.toMatchObject(refusal)
  })

  test('receives several jobs if it makes fewer copies than qty', async () => {
    proves('qty.prints')
    const { spooler } = await openNetworkSpooler()
    await waitForPrinters(spooler)
    const { id, printed } = await start(spooler, { qty: 100 })
    await waitForState(spooler, id, { is: 'completed' })
    const attributes = { IPP_COPIES: '50' }
    await waitFor(() => expect(printed()).toMatchObject([{ attributes }, { attributes }]))
  })

  test('refuses PDFs if it cannot print them', async () => {
    const { spooler } = await openNetworkSpooler()
    await waitForPrinters(spooler)
    const refusal = { name: 'SpoolerRefusal', reasons: ['document-format-not-supported'] }
    await expect(spooler.submitHeld(createSubmission('Label'))).rejects.toMatchObject(refusal)
  })

  test('receives a raw document unchanged qty times', async () => {
    proves('options.unset.copies.raw')
    const { spooler } = await openNetworkSpooler()
    await waitForPrinters(spooler)
    // ippeveprinter detects the format.
    const job = { contentType: 'raw_base64', qty: 2, options: { duplex: 'long-edge' } }
    const { id, printed } = await start(spooler, job)
    await waitForState(spooler, id, { is: 'completed' })
    // A device with another default would repeat them.
    const attributes = { IPP_COPIES: '1' }
    await waitFor(() =>
      expect(printed()).toMatchObject([{ attributes, bytes: Buffer.concat([buildPdf(), buildPdf()]) }]),
    )
  })

  test('that fails aborts the job', async () => {
    const { spooler } = await openNetworkSpooler()
    laser.device.fail(true)
    onTestFinished(() => laser.device.fail(false))
    await waitForState(spooler, (await start(spooler)).id, { is: 'aborted' })
  })

  test('is offline while it is off, keeps its capabilities after a restart of the agent, and prints the job when it is on again', async () => {
    const { spooler, dir } = await openNetworkSpooler()
    const [before] = await waitForPrinters(spooler)
    await laser.device.stop()
    const offline = { state: 'offline', stateReasons: ['connecting-to-device'] }
    await waitFor(async () => expect((await spooler.printers())[0]).toMatchObject(offline))
    const { id, printed } = await start(spooler)
    await waitForState(spooler, id, { is: 'pending', message: 'The printer cannot be reached.' })
    await spooler.close?.()
    const { spooler: later } = await openNetworkSpooler(dir)
    const restarted = (await later.printers())[0]
    await later.state(id)
    await laser.device.start()
    expect(restarted).toMatchObject({ ...offline, capabilities: before?.capabilities })
    await waitForState(later, id, { is: 'completed' })
    await waitFor(async () => expect((await later.printers())[0]).toMatchObject({ state: 'online' }))
    await waitFor(() => expect(printed()).toHaveLength(1))
  })

  test('cancels a removed job; a job is followed after a crash of the agent and not sent again', async () => {
    const { spooler, dir } = await openNetworkSpooler()
    laser.device.emptyMedia(true)
    onTestFinished(() => laser.device.emptyMedia(false))
    const { id, printed } = await start(spooler)
    await waitForOpenJobs(1)
    const copy = makeDataDir()
    cpSync(dir, copy, { recursive: true })
    const { spooler: later } = await openNetworkSpooler(copy)
    await waitForState(later, id, { is: 'processing' })
    const { id: removed } = await start(spooler, { token: randomUUID() })
    await spooler.remove(removed)
    expect(await spooler.state(removed)).toMatchObject({ is: 'aborted', reasons: ['job-canceled-by-user'] })
    laser.device.emptyMedia(false)
    for (const one of [later, spooler]) await waitForState(one, id, { is: 'completed' })
    await waitForOpenJobs(0)
    await waitFor(() => expect(printed()).toHaveLength(1))
  })
})
