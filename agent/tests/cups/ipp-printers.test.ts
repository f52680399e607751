/** IPP printers of the agent's configuration, which have no queue in the operating system. */
import { randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { openIppClient } from '../../ipp/client.ts'
import { createNetworkSpooler } from '../../spoolers/network/network-spooler.ts'
import type { Spooler, SpoolerState } from '../../spoolers/spooler.ts'
import { makeDataDir } from '../start-agent.ts'
import { hasCups, PRINT_LIMIT_MS, submission, useDevice } from './on-cups.ts'

describe.skipIf(!hasCups)('an IPP printer without a queue', () => {
  const laser = useDevice('laser')
  const label = useDevice('label')

  /** Both printers have answered, if they are on. */
  async function open(dir = makeDataDir()) {
    const printers = [
      { name: 'Laser', uri: laser.device.uri },
      { name: 'Label', uri: label.device.uri },
    ]
    const log = pino({ level: 'silent' })
    const spooler = createNetworkSpooler({ dir, printers, log, backoff: { baseMs: 50, maxMs: 200 } })
    onTestFinished(() => void spooler.close?.())
    return { dir, spooler }
  }

  const reported = (spooler: Spooler) =>
    waitFor(async () => {
      const printers = await spooler.printers()
      expect(printers).toMatchObject([{ state: 'online' }, { state: 'online' }])
      return printers
    }, PRINT_LIMIT_MS)

  const becomes = (spooler: Spooler, id: string, state: Partial<SpoolerState>) =>
    waitFor(async () => expect(await spooler.state(id)).toMatchObject(state), PRINT_LIMIT_MS)

  async function start(spooler: Spooler, changes: Parameters<typeof submission>[1] = {}) {
    const before = laser.device.printed().length
    const { spoolerJobId: id, warnings } = await spooler.submitHeld(submission('Laser', changes))
    await spooler.release(id)
    return { id, warnings, printed: () => laser.device.printed().slice(before) }
  }

  async function openJobs() {
    const client = openIppClient({ url: laser.device.uri })
    const attributes = { 'which-jobs': { syntax: 'keyword', value: 'not-completed' } } as const
    return (await client.request({ operation: 'Get-Jobs', attributes }).finally(() => client.close())).jobs
  }
  const isAtDevice = (count: number) =>
    waitFor(async () => expect(await openJobs()).toHaveLength(count), PRINT_LIMIT_MS)

  // A job of the test before may be under way.
  beforeEach(() => isAtDevice(0))

  test('is reported with its own capabilities, and prints a PDF with its options', async () => {
    const { spooler } = await open()
    const [printer] = await reported(spooler)
    expect(printer).toMatchObject({
      ...{ osName: 'Laser', stateReasons: [] },
      capabilities: { duplex: true, color: false, copies: 99, dpis: ['300x300', '600x600'], printrate: { rate: 38 } },
    })
    const document = buildPdf({ pages: 3 })
    const options = { duplex: 'long-edge', pages: '1-2', rotate: 90 }
    const { id, warnings, printed } = await start(spooler, { document, qty: 2, options })
    expect(warnings).toEqual([])
    await becomes(spooler, id, { is: 'completed' })
    const attributes = { IPP_COPIES: '2', IPP_SIDES: 'two-sided-long-edge', IPP_PAGE_RANGES: '1-2' }
    await waitFor(() => expect(printed()).toMatchObject([{ attributes, bytes: document }]))
  })

  test('refuses PDFs if it cannot print them', async () => {
    const { spooler } = await open()
    await reported(spooler)
    const refusal = { name: 'SpoolerRefusal', reasons: ['document-format-not-supported'] }
    await expect(spooler.submitHeld(submission('Label'))).rejects.toMatchObject(refusal)
  })

  test('gets a raw document unchanged, qty times', async () => {
    const { spooler } = await open()
    await reported(spooler)
    // ippeveprinter detects the format.
    const job = { contentType: 'raw_base64', qty: 2, options: { duplex: 'long-edge' } }
    const { id, printed } = await start(spooler, job)
    await becomes(spooler, id, { is: 'completed' })
    await waitFor(() => expect(printed().map(({ bytes }) => bytes)).toEqual([Buffer.concat([buildPdf(), buildPdf()])]))
  })

  test('that fails ends the job as aborted', async () => {
    const { spooler } = await open()
    laser.device.fail(true)
    onTestFinished(() => laser.device.fail(false))
    await becomes(spooler, (await start(spooler)).id, { is: 'aborted' })
  })

  test('is offline while it is off, keeps its capabilities over a restart, and prints the job once it is on', async () => {
    const { spooler, dir } = await open()
    const [before] = await reported(spooler)
    await laser.device.stop()
    const offline = { state: 'offline', stateReasons: ['connecting-to-device'] }
    await waitFor(async () => expect((await spooler.printers())[0]).toMatchObject(offline))
    const { id, printed } = await start(spooler)
    await becomes(spooler, id, { is: 'processing', message: 'The printer cannot be reached.' })
    await spooler.close?.()
    const { spooler: later } = await open(dir)
    const restarted = (await later.printers())[0]
    await later.state(id)
    await laser.device.start()
    expect(restarted).toMatchObject({ ...offline, capabilities: before?.capabilities })
    await becomes(later, id, { is: 'completed' })
    await waitFor(async () => expect((await later.printers())[0]).toMatchObject({ state: 'online' }))
    await waitFor(() => expect(printed()).toHaveLength(1))
  })

  test('cancels a job that is removed; a job is followed after a crash of the agent, and not sent again', async () => {
    const { spooler, dir } = await open()
    laser.device.emptyMedia(true)
    onTestFinished(() => laser.device.emptyMedia(false))
    const { id, printed } = await start(spooler)
    await isAtDevice(1)
    const crashed = makeDataDir()
    cpSync(dir, crashed, { recursive: true })
    const { spooler: later } = await open(crashed)
    await becomes(later, id, { is: 'processing' })
    const { id: removed } = await start(spooler, { token: randomUUID() })
    await spooler.remove(removed)
    expect(await spooler.state(removed)).toMatchObject({ is: 'aborted', reasons: ['job-canceled-by-user'] })
    laser.device.emptyMedia(false)
    for (const one of [later, spooler]) await becomes(one, id, { is: 'completed' })
    await isAtDevice(0)
    await waitFor(() => expect(printed()).toHaveLength(1))
  })
})
