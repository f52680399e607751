/** IPP printers without a queue in the operating system: `ippeveprinter` plays them. */
import { randomUUID } from 'node:crypto'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildPdf } from '../../test/cups/build-pdf.ts'
import { whyNoCups } from '../../test/cups/find-cups.ts'
import { startCups, type TestCups } from '../../test/cups/start-cups.ts'
import { waitFor } from '../../test/harness/wait-for.ts'
import { openIppClient } from '../ipp/client.ts'
import { createNetworkSpooler } from '../spoolers/network/network-spooler.ts'
import type { Spooler, SpoolerState } from '../spoolers/spooler.ts'
import { makeDataDir } from './start-agent.ts'

const LIMIT_MS = 30_000

// Half a dozen programs start for CUPS, and some for each document.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

describe.skipIf(await whyNoCups())('an IPP printer without a queue', () => {
  let cups: TestCups
  beforeAll(async () => {
    cups = await startCups()
  })
  afterAll(() => cups?.stop())
  beforeEach(() => {
    cups.laser.fail(false)
    cups.laser.emptyMedia(false)
  })

  function open(dir = makeDataDir()) {
    const spooler = createNetworkSpooler({
      dir,
      printers: [
        { name: 'Laser', uri: cups.laser.uri },
        { name: 'Label', uri: cups.label.uri },
      ],
      log: pino({ level: 'silent' }),
      backoff: { baseMs: 50, maxMs: 200 },
    })
    onTestFinished(() => void spooler.close?.())
    return { dir, spooler }
  }

  /** Both have answered, if not the first report in its 2 s. */
  const reported = (spooler: Spooler) =>
    waitFor(async () => {
      const printers = await spooler.printers()
      expect(printers).toMatchObject([{ state: 'online' }, { state: 'online' }])
      return printers
    }, LIMIT_MS)

  const becomes = (spooler: Spooler, id: string, state: Partial<SpoolerState>) =>
    waitFor(async () => expect(await spooler.state(id)).toMatchObject(state), LIMIT_MS)

  /** Of the documents that came out since. */
  function printedFrom(device = cups.laser) {
    const before = device.printed().length
    return () => device.printed().slice(before)
  }

  function submission(
    document = buildPdf(),
    facts: { printer?: string; qty?: number; options?: object; raw?: true } = {},
  ) {
    const { printer: printerOsName = 'Laser', qty = 1, options = {}, raw } = facts
    const token = randomUUID()
    const file = join(makeDataDir(), token)
    writeFileSync(file, document)
    const contentType = raw ? 'raw_base64' : 'pdf_base64'
    return { token, title: 'Invoice', printerOsName, file, contentType, qty, options: { ...options } }
  }

  async function print(spooler: Spooler, ...args: Parameters<typeof submission>) {
    const { spoolerJobId, warnings } = await spooler.submitHeld(submission(...args))
    await spooler.release(spoolerJobId)
    return { id: spoolerJobId, warnings }
  }

  test('is reported with what it says of itself', async () => {
    const { spooler } = open()
    const [laser] = await reported(spooler)
    expect(laser).toMatchObject({ osName: 'Laser', state: 'online', stateReasons: [] })
    expect(laser?.capabilities).toMatchObject({
      duplex: true,
      color: false,
      copies: 99,
      dpis: ['300x300', '600x600'],
      nup: [1, 2, 4, 6, 9, 16],
      printrate: { rate: 38, unit: 'ppm' },
    })
    expect(laser?.capabilities?.papers?.map(({ name }) => name)).toContain('A4')
  })

  test('prints a PDF with its options, and qty as copies of one job', async () => {
    const { spooler } = open()
    await reported(spooler)
    const printed = printedFrom()
    const options = { duplex: 'long-edge', pages: '1-2', rotate: 90 }
    const { id, warnings } = await print(spooler, buildPdf({ pages: 3 }), { qty: 2, options })
    expect(warnings).toEqual([])
    await becomes(spooler, id, { is: 'completed' })
    expect(printed()).toMatchObject([
      { attributes: { IPP_COPIES: '2', IPP_SIDES: 'two-sided-long-edge', IPP_PAGE_RANGES: '1-2' } },
    ])
    expect(printed()[0]?.bytes).toEqual(buildPdf({ pages: 3 }))
  })

  test('a printer that does not print PDFs by itself refuses them', async () => {
    const { spooler } = open()
    await reported(spooler)
    await expect(spooler.submitHeld(submission(buildPdf(), { printer: 'Label' }))).rejects.toMatchObject({
      name: 'SpoolerRefusal',
      reasons: ['document-format-not-supported'],
    })
  })

  test('a raw document is sent as it is, and as often as qty says', async () => {
    const { spooler } = open()
    await reported(spooler)
    const printed = printedFrom()
    // ippeveprinter wants to know by itself what it is given.
    const document = buildPdf()
    const { id } = await print(spooler, document, { raw: true, qty: 2, options: { duplex: 'long-edge' } })
    await becomes(spooler, id, { is: 'completed' })
    expect(printed()[0]?.bytes).toEqual(Buffer.concat([document, document]))
  })

  test('a job that the printer breaks off ends as aborted', async () => {
    const { spooler } = open()
    cups.laser.fail(true)
    const { id } = await print(spooler)
    await becomes(spooler, id, { is: 'aborted' })
  })

  test('a printer that is off is reported offline, and prints the job once it is on', async () => {
    const { spooler, dir } = open()
    const [before] = await reported(spooler)
    const printed = printedFrom()
    await cups.laser.stop()
    try {
      const offline = { state: 'offline', stateReasons: ['connecting-to-device'] }
      await waitFor(async () => expect((await spooler.printers())[0]).toMatchObject(offline))
      const { id } = await print(spooler)
      await becomes(spooler, id, { is: 'processing', message: 'The printer cannot be reached.' })
      // What it can do is known over a restart of the agent.
      await spooler.close?.()
      const { spooler: later } = open(dir)
      expect((await later.printers())[0]).toMatchObject({ ...offline, capabilities: before?.capabilities })
      await later.state(id)
      await cups.laser.start()
      await becomes(later, id, { is: 'completed' })
      await waitFor(async () => expect((await later.printers())[0]).toMatchObject({ state: 'online' }))
    } finally {
      await cups.laser.start().catch(() => undefined)
    }
    expect(printed()).toHaveLength(1)
  })

  test('a job that is removed while it prints is canceled at the printer', async () => {
    const { spooler } = open()
    cups.laser.emptyMedia(true)
    const { id } = await print(spooler)
    await waitFor(async () => expect(await jobsAt(cups.laser.uri, 'not-completed')).toHaveLength(1), LIMIT_MS)
    await spooler.remove(id)
    expect(await spooler.state(id)).toMatchObject({ is: 'aborted', reasons: ['job-canceled-by-user'] })
    cups.laser.emptyMedia(false)
    await waitFor(async () => expect(await jobsAt(cups.laser.uri, 'not-completed')).toHaveLength(0), LIMIT_MS)
  })

  test('after a crash a job is followed at the printer, and not sent again', async () => {
    const { spooler, dir } = open()
    cups.laser.emptyMedia(true)
    const printed = printedFrom()
    const { id } = await print(spooler)
    await waitFor(async () => expect(await jobsAt(cups.laser.uri, 'not-completed')).toHaveLength(1), LIMIT_MS)
    // As a process that dies now would leave it.
    const crashed = makeDataDir()
    cpSync(dir, crashed, { recursive: true })
    const { spooler: later } = open(crashed)
    await becomes(later, id, { is: 'processing' })
    cups.laser.emptyMedia(false)
    await becomes(later, id, { is: 'completed' })
    await becomes(spooler, id, { is: 'completed' })
    expect(printed()).toHaveLength(1)
  })
})

async function jobsAt(uri: string, which: string) {
  const client = openIppClient({ url: uri })
  const { jobs } = await client
    .request({ operation: 'Get-Jobs', attributes: { 'which-jobs': { syntax: 'keyword', value: which } } })
    .finally(() => client.close())
  return jobs
}
