/** The driver prints on a real CUPS, whose devices are programs. */
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { whyNoCups } from '../../../test/cups/find-cups.ts'
import { QUEUES, startCups, type TestCups } from '../../../test/cups/start-cups.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { keyword } from '../../ipp/typed.ts'
import { asUser, createCupsJobs } from '../../spoolers/cups/cups-jobs.ts'
import { jobName, nameEnding } from '../../spoolers/cups/job-name.ts'
import { SpoolerRefusal } from '../../spoolers/spooler.ts'
import { look, openSpooler, PRINT_LIMIT_MS, print, submission } from './print-on-cups.ts'

// Half a dozen programs start for CUPS, and some for each document.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const RAW = Buffer.concat([Buffer.from('^XA^FDParcel^FS^XZ\r\n\0\xff', 'latin1'), randomBytes(70_000)])

describe.skipIf(await whyNoCups())('CUPS', () => {
  let cups: TestCups
  beforeAll(async () => {
    cups = await startCups()
  })
  afterAll(() => cups?.stop())

  const lastOfLaser = () => cups.laser.printed().at(-1) ?? expect.fail('nothing was printed')

  test('keeps a job until it is released; then it is processed and completed', async () => {
    const { spooler } = openSpooler(cups)
    const before = cups.laser.printed().length
    const job = submission()
    const { spoolerJobId, warnings } = await spooler.submitHeld(job)
    expect(warnings).toEqual([])
    expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'held' })
    const { spoolerJobId: next } = await spooler.submitHeld(submission())
    // Until that is seen: whoever looks late meets the end.
    cups.laser.emptyMedia(true)
    onTestFinished(() => cups.laser.emptyMedia(false))
    await spooler.release(next)
    const states: string[] = []
    for await (const { is } of spooler.watch(next, AbortSignal.timeout(PRINT_LIMIT_MS))) {
      states.push(is)
      if (is === 'processing') cups.laser.emptyMedia(false)
    }
    expect(states.slice(-2)).toEqual(['processing', 'completed'])
    expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'held' })
    expect(cups.laser.printed()).toHaveLength(before + 1)
    await spooler.release(spoolerJobId)
    await waitFor(
      async () => expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'completed' }),
      PRINT_LIMIT_MS,
    )
    expect(cups.laser.printed()).toHaveLength(before + 2)
    await expect(spooler.release(spoolerJobId)).rejects.toThrow()
  })

  test('finds a job by its token, whoever asks, in whatever state it is', async () => {
    const { spooler } = openSpooler(cups)
    const job = submission({ title: `${'🖨'.repeat(255)}\n` })
    const { spoolerJobId } = await spooler.submitHeld(job)
    const later = openSpooler(cups).spooler
    expect(await later.find(job.token)).toMatchObject({ spoolerJobId, state: { is: 'held' } })
    await later.remove(spoolerJobId)
    expect(await later.find(job.token)).toMatchObject({ spoolerJobId, state: { is: 'aborted' } })
    expect(await later.find(randomUUID())).toBeUndefined()
  })

  test('finds the one job among more of them than CUPS tells at once', async () => {
    const { spooler } = openSpooler(cups)
    await cups.run('cupsdisable', QUEUES.null)
    const jobs = Array.from({ length: 520 }, () =>
      submission({ printerOsName: QUEUES.null, contentType: 'raw_base64', document: Buffer.from('x') }),
    )
    for (const job of jobs) await spooler.submitHeld(job)
    for (const job of [jobs[0], jobs[200], jobs[519]])
      expect(await spooler.find(job?.token ?? '')).toMatchObject({ state: { is: 'held' } })
    await cups.run('cancel', '-a', QUEUES.null)
    await cups.run('cupsenable', QUEUES.null)
  })

  test('has an empty job when the agent dies before the document: it does not count as submitted, and is taken out', async () => {
    const { spooler, client } = openSpooler(cups)
    const jobs = createCupsJobs(client)
    const job = submission()
    const dying = new AbortController()
    const printer = { 'printer-uri': { syntax: 'uri', value: `ipp://localhost/printers/${QUEUES.laser}` } } as const
    const { jobs: created } = await client.request({
      operation: 'Create-Job',
      attributes: {
        ...printer,
        ...asUser,
        'job-name': { syntax: 'nameWithoutLanguage', value: jobName(job.title, job.token) },
      },
      jobAttributes: { 'job-hold-until': keyword('indefinite') },
    })
    const id = Number(created[0]?.['job-id']?.[0])
    async function* half() {
      yield buildPdf().subarray(0, 200)
      dying.abort()
      await new Promise(() => undefined)
    }
    const sending = client.request({
      operation: 'Send-Document',
      attributes: {
        ...printer,
        'job-id': { syntax: 'integer', value: id },
        ...asUser,
        'document-format': { syntax: 'mimeMediaType', value: 'application/pdf' },
        'last-document': { syntax: 'boolean', value: true },
      },
      document: half(),
      documentLength: buildPdf().length,
      signal: dying.signal,
    })
    await expect(sending).rejects.toThrow('aborted')
    expect(await jobs.named(nameEnding(job.token))).toMatchObject([{ id, state: 'pending-held', hasDocument: false }])
    expect(await spooler.find(job.token)).toBeUndefined()
    expect(await jobs.get(id)).toMatchObject({ state: 'canceled' })

    const { spoolerJobId } = await spooler.submitHeld(job)
    expect(await spooler.find(job.token)).toMatchObject({ spoolerJobId, state: { is: 'held' } })
    await spooler.remove(spoolerJobId)
  })

  test('tells the device what was asked for, and the driver what was dropped', async () => {
    const { spooler } = openSpooler(cups)
    const options = {
      copies: 2,
      duplex: 'long-edge',
      pages: '2,4-',
      paper: 'A5',
      bin: 'tray-2',
      media: 'labels',
      dpi: '600x600',
      color: true,
    }
    const { end, warnings } = await print(spooler, submission({ options, qty: 3, document: buildPdf({ pages: 5 }) }))
    expect(end).toMatchObject({ is: 'completed' })
    const { attributes } = lastOfLaser()
    expect(attributes).toMatchObject({ IPP_COPIES: '6', IPP_SIDES: 'two-sided-long-edge' })
    for (const part of ['x-dimension=14800 y-dimension=21000', 'media-source=tray-2', 'media-type=labels'])
      expect(attributes.IPP_MEDIA_COL).toContain(part)
    expect(look(lastOfLaser())).toMatchObject({ pages: 3 })
    expect(warnings).toEqual([expect.stringMatching(/dpi `600x600`.*no choice/), expect.stringMatching(/color true/)])
  })

  test.each([
    [true, 'collated'],
    [false, 'uncollated'],
  ])('lays copies set by set or page by page: collate %s', async (collate, how) => {
    const { spooler } = openSpooler(cups)
    const options = { copies: 2, collate }
    expect(await print(spooler, submission({ options }))).toMatchObject({ warnings: [], end: { is: 'completed' } })
    const { IPP_MULTIPLE_DOCUMENT_HANDLING: handling } = lastOfLaser().attributes
    expect(handling).toBe(`separate-documents-${how}-copies`)
  })

  test('puts several pages on a side', async () => {
    const { spooler } = openSpooler(cups)
    const job = submission({ options: { nup: 4 }, document: buildPdf({ pages: 5 }) })
    expect(await print(spooler, job)).toMatchObject({ warnings: [], end: { is: 'completed' } })
    expect(look(lastOfLaser()).pages).toBe(2)
  })

  test('tells the driver the resolution, where it has a choice of it', async () => {
    const { spooler } = openSpooler(cups)
    const driver = join(import.meta.dirname, '../../../test/cups/devices/postscript.ppd')
    await cups.run('lpadmin', '-p', 'PostScript', '-E', '-v', cups.socketPrinter.uri, '-P', driver)
    const resolutions: string[] = []
    for (const dpi of ['300x300', '600x600', '1200x1200']) {
      const connections = cups.socketPrinter.received().length
      const { warnings } = await print(spooler, submission({ printerOsName: 'PostScript', options: { dpi } }))
      expect(warnings).toHaveLength(dpi === '1200x1200' ? 1 : 0)
      const printed = await waitFor(() => {
        const [bytes] = cups.socketPrinter.received().slice(connections)
        return bytes?.length ? bytes.toString('latin1') : expect.fail('nothing was printed')
      })
      resolutions.push(/BeginFeature: \*Resolution (\S+)/.exec(printed)?.[1] ?? 'none')
    }
    expect(resolutions).toEqual(['300dpi', '600dpi', '300dpi'])
  })

  const at = ({ x, y }: { x: number; y: number }) => `${y < 0.5 ? 'upper' : 'lower'} ${x < 0.5 ? 'left' : 'right'}`

  test.each([
    [90, 'upper right'],
    [180, 'lower right'],
    [270, 'lower left'],
  ])(
    'turns pages by %i degrees clockwise as the reader of the sheet sees them, upright and landscape ones',
    async (rotate, where) => {
      const { spooler } = openSpooler(cups)
      for (const document of [buildPdf(), buildPdf({ width: 842, height: 595 })]) {
        await print(spooler, submission({ document, options: { rotate, fit_to_page: true } }))
        const seen = look(lastOfLaser())
        expect(seen.isPortrait).toBe(true)
        expect(at(seen.mark)).toBe(where)
      }
    },
  )

  test.each([
    [90, 'upper right'],
    [270, 'lower left'],
  ])('turns a label by %i degrees, of which it makes a raster', async (rotate, where) => {
    const { spooler } = openSpooler(cups)
    const document = buildPdf({ width: 432, height: 288 })
    const options = { rotate, paper: '4x6in' }
    const { end } = await print(spooler, submission({ printerOsName: QUEUES.label, document, options }))
    expect(end).toMatchObject({ is: 'completed' })
    const seen = look(cups.label.printed().at(-1) ?? expect.fail('nothing was printed'))
    expect(seen.isPortrait).toBe(true)
    expect(at(seen.mark)).toBe(where)
  })

  test('makes pages smaller that are larger than the sheet, and others only when they shall fill it', async () => {
    const { spooler } = openSpooler(cups)
    const small = { width: 298, height: 421 }
    const large = { width: 1190, height: 1684 }
    const sizeOf = async (document: Buffer, options: Record<string, boolean>) => {
      await print(spooler, submission({ document, options }))
      return look(lastOfLaser()).mark.size
    }
    const unscaled = await sizeOf(buildPdf(), {})
    expect(await sizeOf(buildPdf(small), {})).toBeCloseTo(unscaled, 2)
    expect(await sizeOf(buildPdf(small), { fit_to_page: true })).toBeGreaterThan(unscaled * 1.7)
    expect(await sizeOf(buildPdf(large), {})).toBeLessThan(unscaled * 0.7)
    // Its corner does not come onto the sheet.
    expect(await sizeOf(buildPdf(large), { fit_to_page: false })).toBe(0)
  })

  test('passes raw bytes on as they are, as often as `qty` says, and heeds no option', async () => {
    const { spooler } = openSpooler(cups)
    const raw = { printerOsName: QUEUES.raw, contentType: 'raw_base64', document: RAW, options: { copies: 9 } }
    const connections = cups.socketPrinter.received().length
    const { end, warnings, states } = await print(spooler, submission({ ...raw, qty: 3 }))
    expect(end).toMatchObject({ is: 'completed' })
    expect(warnings).toEqual([])
    expect(states.length).toBeGreaterThan(0)
    const received = () => Buffer.concat(cups.socketPrinter.received().slice(connections))
    await waitFor(() => expect(received().length).toBe(3 * RAW.length))
    expect(received().equals(Buffer.concat([RAW, RAW, RAW]))).toBe(true)
  })

  test('knows no such queue: the job is refused for good', async () => {
    const { spooler } = openSpooler(cups)
    const refusal = await spooler
      .submitHeld(submission({ printerOsName: 'No/such queue' }))
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SpoolerRefusal)
    expect(refusal).toMatchObject({ reasons: ['printer-not-found'] })
  })

  test('rejects jobs for a queue: the job is refused for good', async () => {
    const { spooler } = openSpooler(cups)
    await cups.run('cupsreject', QUEUES.null)
    const job = submission({ printerOsName: QUEUES.null, contentType: 'raw_uri' })
    const refusal = await spooler.submitHeld(job).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'SpoolerRefusal', reasons: ['printer-not-accepting-jobs'] })
    expect(await spooler.find(job.token)).toBeUndefined()
    await cups.run('cupsaccept', QUEUES.null)
  })

  test('does not hear of a PDF that cannot be printed', async () => {
    const { spooler } = openSpooler(cups)
    const job = submission({ document: buildPdf().subarray(0, 300) })
    const refusal = await spooler.submitHeld(job).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'SpoolerRefusal', reasons: ['document-format-error'] })
    expect(await spooler.find(job.token)).toBeUndefined()
  })
})
