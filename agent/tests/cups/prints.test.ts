/** Jobs of the CUPS driver on a real CUPS with devices. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildPdf, makePages } from '../../../test/cups/build-pdf.ts'
import type { TestDevice } from '../../../test/cups/device.ts'
import { ODD_PDFS } from '../../../test/cups/odd-pdfs.ts'
import { readUrf } from '../../../test/cups/read-urf.ts'
import { readZplGraphic } from '../../../test/cups/read-zpl.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { startRawPrinter } from '../raw-printer.ts'
import {
  addRawQueue,
  collectStates,
  createSubmission,
  hasCups,
  inspectPrint,
  openSpooler,
  PRINT_TIMEOUT_MS,
  print,
  run,
  useDevice,
  useDevices,
} from './on-cups.ts'

const DRIVER = join(import.meta.dirname, '../../../test/cups/devices/postscript.ppd')

/** The last two are kept unless an option sets them. */
const UNUSUAL_DEFAULTS = {
  copies: '2',
  'number-up': '2',
  'orientation-requested': '4',
  landscape: 'true',
  booklet: 'true',
  'page-ranges': '1-1',
  'page-set': 'even',
  'job-sheets': 'standard,standard',
  'fit-to-page': 'true',
  sides: 'two-sided-long-edge',
  media: 'iso_a5_148x210mm',
}

const RAW = Buffer.concat([Buffer.from('^XA^FDParcel^FS^XZ\r\n\0\xff', 'latin1'), Buffer.alloc(70_000, 'x')])

describe.skipIf(!hasCups)('CUPS', () => {
  const lasers = useDevices('laser', 4)
  const labels = useDevices('label', 3)
  const single = useDevice('single')
  const [laser = single] = lasers

  type Printer = typeof single
  type Changes = Parameters<typeof createSubmission>[1]
  const getLast = (device: TestDevice) => device.printed().at(-1) ?? expect.fail('nothing was printed')
  const printOnLaser = (changes: Changes) => print(openSpooler(), createSubmission(laser.queue, changes))

  /** Prints a job on each printer at the same time. @returns what they printed, in the order of the jobs. */
  async function printOnEach(printers: Printer[], jobs: Changes[]) {
    const spooler = openSpooler()
    return await Promise.all(
      jobs.map(async (changes, at) => {
        const { queue, device } = printers[at] ?? expect.fail('a job has no printer')
        const before = device.printed().length
        const { end, warnings } = await print(spooler, createSubmission(queue, changes))
        expect(end).toMatchObject({ is: 'completed' })
        expect(device.printed()).toHaveLength(before + 1)
        return { ...getLast(device), warnings }
      }),
    )
  }

  test('holds a job until its release, then prints it once', async () => {
    const spooler = openSpooler()
    const before = laser.device.printed().length
    const { spoolerJobId: held, warnings } = await spooler.submitHeld(createSubmission(laser.queue))
    expect(warnings).toEqual([])
    const { spoolerJobId: next } = await spooler.submitHeld(createSubmission(laser.queue))
    // The job waits for paper until a poll has seen it as processing.
    laser.device.emptyMedia(true)
    onTestFinished(() => laser.device.emptyMedia(false))
    await spooler.release(next)
    const states: string[] = []
    for await (const { is } of spooler.watch(next, AbortSignal.timeout(PRINT_TIMEOUT_MS))) {
      states.push(is)
      if (is === 'processing') laser.device.emptyMedia(false)
    }
    expect(states.slice(-2)).toEqual(['processing', 'completed'])
    expect(await spooler.state(held)).toMatchObject({ is: 'held' })
    expect(laser.device.printed()).toHaveLength(before + 1)
    await spooler.release(held)
    const isCompleted = async () => expect(await spooler.state(held)).toMatchObject({ is: 'completed' })
    await waitFor(isCompleted, PRINT_TIMEOUT_MS)
    expect(laser.device.printed()).toHaveLength(before + 2)
    await expect(spooler.release(held)).rejects.toThrow()
  })

  test('finds a job by its token in every state, also for another agent', async () => {
    const job = createSubmission(laser.queue, { title: `${'🖨'.repeat(255)}\n` })
    const { spoolerJobId } = await openSpooler().submitHeld(job)
    const later = openSpooler()
    expect(await later.find(job.token)).toMatchObject({ spoolerJobId, state: { is: 'held' } })
    await later.remove(spoolerJobId)
    expect(await later.find(job.token)).toMatchObject({ spoolerJobId, state: { is: 'aborted' } })
    expect(await later.find(randomUUID())).toBeUndefined()
  })

  test('passes the options of a job to the device, and returns warnings for dropped options', async () => {
    proves('platform.media.cups', 'option.pages.printed', 'qty.copies')
    const supported = { duplex: 'long-edge', pages: '2,4-', paper: 'A5', bin: 'tray-2', media: 'labels' }
    const options = { ...supported, copies: 2, dpi: '600x600', color: true }
    const { end, warnings } = await printOnLaser({ options, qty: 3, document: buildPdf({ pages: 5 }) })
    expect(end).toMatchObject({ is: 'completed' })
    const printed = getLast(laser.device)
    expect(printed.attributes).toMatchObject({ IPP_COPIES: '6', IPP_SIDES: 'two-sided-long-edge' })
    for (const part of ['x-dimension=14800 y-dimension=21000', 'media-source=tray-2', 'media-type=labels'])
      expect(printed.attributes.IPP_MEDIA_COL).toContain(part)
    expect(inspectPrint(printed)).toMatchObject({ pages: 3 })
    expect(warnings).toEqual([
      expect.stringMatching(/dpi `600x600`.*cannot select/),
      expect.stringMatching(/color true/),
    ])
  })

  test('collates copies as requested, and prints several pages on a side', async () => {
    proves('platform.collate.cups', 'platform.nup.cups')
    const [collated, uncollated, nup] = await printOnEach(lasers, [
      { options: { copies: 2, collate: true } },
      { options: { copies: 2, collate: false } },
      { options: { nup: 4 }, document: buildPdf({ pages: 5 }) },
    ])
    expect(collated?.attributes.IPP_MULTIPLE_DOCUMENT_HANDLING).toBe('separate-documents-collated-copies')
    expect(uncollated?.attributes.IPP_MULTIPLE_DOCUMENT_HANDLING).toBe('separate-documents-uncollated-copies')
    expect(nup && inspectPrint(nup).pages).toBe(2)
    expect([collated, uncollated, nup].map((printed) => printed?.warnings)).toEqual([[], [], []])
  })

  test('prints the selected pages that the document has, and a warning names the others', async () => {
    proves('option.pages.partly')
    const { warnings } = await printOnLaser({ options: { pages: '2-9' }, document: buildPdf({ pages: 3 }) })
    expect(inspectPrint(getLast(laser.device)).pages).toBe(2)
    expect(warnings).toEqual(['The computer ignored the option pages `4-9`: the document has 3 pages.'])
  })

  test('passes the resolution to a driver that can select it', async () => {
    proves('platform.dpi.cups')
    const printer = await startRawPrinter()
    const queue = await addRawQueue(printer.uri, '-P', DRIVER)
    for (const [dpi, expected, warningCount] of [
      ['600x600', '600dpi', 0],
      ['1200x1200', '300dpi', 1],
    ] as const) {
      const before = printer.printed().length
      const { warnings } = await print(openSpooler(), createSubmission(queue, { options: { dpi } }))
      expect(warnings).toHaveLength(warningCount)
      const printed = await waitFor(() => printer.printed()[before] ?? expect.fail('nothing was printed'))
      expect(/BeginFeature: \*Resolution (\S+)/.exec(printed.toString('latin1'))?.[1]).toBe(expected)
    }
  })

  test.each([
    ['with another paper that equals it when it is rotated', 80, 50, 1],
    ['without such a paper', 90, 55, 0],
  ])('prints a custom paper as it is requested on a label printer %s', async (_, width, height, warningCount) => {
    proves('option.paper.rotated')
    const printer = await startRawPrinter()
    const queue = await addRawQueue(printer.uri, '-m', 'drv:///sample.drv/zebra.ppd')
    const toPoints = (mm: number) => (mm / 25.4) * 72
    const content = `0 g ${toPoints(2)} ${toPoints(height - 12)} ${toPoints(10)} ${toPoints(10)} re f`
    const document = makePages([{ width: toPoints(width), height: toPoints(height), content }])
    const paper = { name: 'Label', width: width * 10, height: height * 10 }
    const { warnings } = await print(openSpooler(), createSubmission(queue, { document, options: { paper } }))
    const printed = await waitFor(() => printer.printed()[0] ?? expect.fail('nothing was printed'))
    const graphic = readZplGraphic(printed.toString('latin1'))
    const toMm = (dots: number) => (dots / 203) * 25.4
    expect(Math.abs(toMm(graphic.width) - width)).toBeLessThan(3)
    for (const [at, edge] of [2, 2, 12, 12].entries())
      expect(Math.abs(toMm(graphic.ink[at] ?? 0) - edge)).toBeLessThan(2)
    expect(warnings).toHaveLength(warningCount)
  })

  test('prints a custom paper as it is requested on a driverless label printer with another paper that equals it when it is rotated', async () => {
    const paper = { name: 'Label', width: 762, height: 1016 }
    const [printed] = await printOnEach(labels, [
      { document: buildPdf({ width: 216, height: 288 }), options: { paper } },
    ])
    expect(printed && inspectPrint(printed)).toMatchObject({ isPortrait: true, mark: { x: expect.closeTo(0.28, 1) } })
    expect(printed?.warnings).toHaveLength(1)
  })

  test('prints for the paper of the device if CUPS names none, in its size', async () => {
    proves('option.paper.device')
    const [printed] = await printOnEach(labels, [{ document: buildPdf({ width: 288, height: 432 }) }])
    const { width, height } = readUrf(printed?.bytes ?? Buffer.alloc(0))
    expect([width, height]).toEqual([812, 1218])
    expect(printed?.warnings).toEqual([])
  })

  test('prints the part of an A4 page that `crop` selects on a label, in its size', async () => {
    proves('option.crop.box', 'option.crop.auto')
    // A square of 40 points, 40 points from the upper left corner, and a bar beside the box.
    const square = '0 g 40 762 40 40 re f'
    const page = (content: string) => makePages([{ width: 595, height: 842, content }])
    const [box, ink] = await printOnEach(labels, [
      { document: page(`${square} 300 0 295 842 re f`), options: { crop: '0,0,1016,1524', paper: '4x6in' } },
      { document: page(square), options: { crop: 'auto', paper: '4x6in' } },
    ])
    const find = (printed: typeof box) => inspectPrint(printed ?? expect.fail('nothing was printed')).mark
    const size = expect.closeTo(40 / Math.sqrt(288 * 432), 2)
    expect(find(box)).toEqual({ x: expect.closeTo(60 / 288, 2), y: expect.closeTo(60 / 432, 2), size })
    // The page of the square and its margin is in the middle of the label.
    expect(find(ink)).toEqual({ x: expect.closeTo(0.5, 2), y: expect.closeTo(0.5, 2), size })
    expect([box?.warnings, ink?.warnings]).toEqual([[], []])
  })

  const describePosition = (printed: Parameters<typeof inspectPrint>[0]) => {
    const { isPortrait, mark } = inspectPrint(printed)
    return `${isPortrait} ${mark.y < 0.5 ? 'upper' : 'lower'} ${mark.x < 0.5 ? 'left' : 'right'}`
  }

  test('rotates portrait and landscape pages clockwise, also if CUPS converts them to a raster', async () => {
    proves('option.rotate.printed')
    const landscape = buildPdf({ width: 842, height: 595 })
    const wideLabel = buildPdf({ width: 432, height: 288 })
    const printed = await printOnEach(
      [...lasers, ...labels],
      [
        { options: { rotate: 90, fit_to_page: true } },
        { options: { rotate: 90, fit_to_page: true }, document: landscape },
        { options: { rotate: 180, fit_to_page: true }, document: landscape },
        { options: { rotate: 270, fit_to_page: true } },
        { options: { rotate: 90, paper: '4x6in' }, document: wideLabel },
      ],
    )
    expect(printed.map(describePosition)).toEqual([
      'true upper right',
      'true upper right',
      'true lower right',
      'true lower left',
      'true upper right',
    ])
  })

  const getMarkSizes = async (printers: Printer[], jobs: Changes[]) =>
    (await printOnEach(printers, jobs)).map((printed) => inspectPrint(printed).mark.size)

  test('rotates pages at 100 % if they fit on the sheet, and shrinks larger ones', async () => {
    proves('option.rotate.unscaled')
    // A label of 50 x 30 mm with a bar of 20 x 5 mm.
    const [width, height, bar] = [142, 85, { width: 57, height: 14 }]
    const content = `0 g 20 40 ${bar.width} ${bar.height} re f`
    const document = makePages([{ width, height, content }])
    const rotated = [90, 180, 270].map((rotate) => ({ document, options: { rotate, paper: '4x6in' } }))
    const [shrunk, ...unscaled] = await getMarkSizes(
      [laser, ...labels],
      // A page of A4 on A5. At 100 % the side of the mark would be 8 % of the sheet.
      [{ options: { rotate: 90, paper: 'A5' } }, ...rotated],
    )
    expect(shrunk).toBeLessThan(0.06)
    const expected = Math.sqrt((bar.width * bar.height) / (288 * 432))
    expect(unscaled).toEqual(rotated.map(() => expect.closeTo(expected, 2)))
  })

  test('scales pages that are larger than the sheet, and other pages according to fit_to_page', async () => {
    proves('option.fit_to_page.true', 'option.fit_to_page.false', 'option.fit_to_page.unset')
    const small = buildPdf({ width: 298, height: 421 })
    const large = buildPdf({ width: 1190, height: 1684 })
    const [unscaled = 0] = await getMarkSizes([laser], [{}])
    const [smallUnset, smallFit, largeUnset, largeUnfit] = await getMarkSizes(lasers, [
      { document: small },
      { document: small, options: { fit_to_page: true } },
      { document: large },
      { document: large, options: { fit_to_page: false } },
    ])
    expect(smallUnset).toBeCloseTo(unscaled, 2)
    expect(smallFit).toBeGreaterThan(unscaled * 1.7)
    expect(largeUnset).toBeLessThan(unscaled * 0.7)
    // The mark is outside the sheet.
    expect(largeUnfit).toBe(0)
  })

  test('prints what a job requests, whatever defaults the queue has: driverless, with a driver, raw', async () => {
    proves(
      'options.unset.copies',
      'options.unset.copies.raw',
      'options.unset.nup',
      'options.unset.pages',
      'options.unset.crop',
      'options.unset.rotate',
      'options.unset.fit_to_page',
      'options.unset.duplex',
      'options.unset.banners',
      'options.set.default',
    )
    const [converted, raw] = [await startRawPrinter(), await startRawPrinter()]
    const [driver, unchanged] = [await addRawQueue(converted.uri, '-P', DRIVER), await addRawQueue(raw.uri)]
    const [driverless, other] = lasers.map(({ queue }) => queue)
    for (const queue of [driverless, other, driver, unchanged]) await setUnusualDefaults(queue ?? '')
    const document = buildPdf({ pages: 5, width: 298, height: 420 })
    const set = { duplex: 'one-sided', paper: 'A4', rotate: 90, fit_to_page: true }
    const [printed] = await Promise.all([
      printOnEach(lasers, [{ document }, { document, options: set }]),
      print(openSpooler(), createSubmission(driver, { document })),
      print(openSpooler(), createSubmission(unchanged, { contentType: 'raw_base64', document: RAW })),
    ])
    const [byDefault, byOptions] = printed.map((one) => ({ ...one, ...inspectPrint(one) }))
    const mark = { x: expect.closeTo(0.29, 1), y: expect.closeTo(0.25, 1), size: expect.closeTo(0.08, 2) }
    const attributes = { IPP_SIDES: 'two-sided-long-edge' }
    expect(byDefault).toMatchObject({ pages: 5, isPortrait: true, mark, attributes })
    expect(byDefault?.attributes.IPP_COPIES ?? '1').toBe('1')
    expect(byOptions).toMatchObject({ pages: 5, attributes: { IPP_SIDES: 'one-sided' } })
    expect(byOptions?.attributes.IPP_MEDIA_COL).toContain('x-dimension=21000 y-dimension=29700')
    expect(printed.map(describePosition).at(-1)).toBe('true upper right')
    const countPages = () =>
      converted
        .printed()[0]
        ?.toString('latin1')
        .match(/^%%Page: /gm)?.length
    await waitFor(() => expect(countPages()).toBe(5))
    await waitFor(() => expect(raw.printed().map((bytes) => bytes.equals(RAW))).toEqual([true]))
  })

  test('prints a job qty times on a device that makes one copy, and on one that makes 99', async () => {
    proves('qty.prints')
    const document = buildPdf({ pages: 3 })
    const printParts = async ({ queue, device }: Printer, changes: Changes, copies: string[]) => {
      const before = device.printed().length
      const { end, warnings } = await print(openSpooler(), createSubmission(queue, { ...changes, document }))
      expect([end?.is, warnings]).toEqual(['completed', []])
      const printed = device.printed().slice(before)
      expect(printed.map(({ attributes }) => attributes.IPP_COPIES ?? '1')).toEqual(copies)
      expect(printed.map((one) => inspectPrint(one).pages)).toEqual(copies.map(() => 3))
    }
    await Promise.all([
      printParts(single, { qty: 3, options: { copies: 1 } }, ['1', '1', '1']),
      printParts(laser, { qty: 100, options: { duplex: 'long-edge' } }, ['50', '50']),
    ])
  })

  test('forgets a job of which not all parts were submitted, and releases each part once', async () => {
    const kill = { at: 'Create-Job', after: 1 }
    const killed = openSpooler(undefined, (client) => ({
      ...client,
      async request(request) {
        if (request.operation === 'Cancel-Job' || (request.operation === kill.at && kill.after-- <= 0))
          throw new Error('killed')
        return await client.request(request)
      },
    }))
    const job = createSubmission(single.queue, { qty: 2 })
    await expect(killed.submitHeld(job)).rejects.toThrow('killed')
    const later = openSpooler()
    for (let n = 0; n < 2; n++) expect(await later.find(job.token)).toBeUndefined()

    const before = single.device.printed().length
    const { spoolerJobId } = await later.submitHeld(job)
    Object.assign(kill, { at: 'Release-Job', after: 1 })
    await expect(killed.release(spoolerJobId)).rejects.toThrow('killed')
    expect(await later.find(job.token)).toMatchObject({ spoolerJobId, state: { is: 'held' } })
    await later.release(spoolerJobId)
    expect((await collectStates(later, spoolerJobId)).at(-1)).toMatchObject({ is: 'completed' })
    expect(await later.state(spoolerJobId)).toMatchObject({ is: 'completed' })
    expect(single.device.printed()).toHaveLength(before + 2)
  })

  test('sends raw bytes unchanged `qty` times and ignores options', async () => {
    proves('qty.prints')
    const printer = await startRawPrinter()
    const job = { contentType: 'raw_base64', document: RAW, options: { copies: 9 }, qty: 3 }
    const { end, warnings } = await print(openSpooler(), createSubmission(await addRawQueue(printer.uri), job))
    expect([end?.is, warnings]).toEqual(['completed', []])
    await waitFor(() => expect(Buffer.concat(printer.printed()).equals(Buffer.concat([RAW, RAW, RAW]))).toBe(true))
  })

  test.each<[string, () => Promise<string>, Parameters<typeof createSubmission>[1], string]>([
    ['an unknown queue', async () => 'No/such queue', {}, 'printer-not-found'],
    ['a queue that rejects jobs', addRejectingQueue, { contentType: 'raw_uri' }, 'printer-not-accepting-jobs'],
    [
      'a PDF on a raw queue, which would send it unchanged',
      async () => await addRawQueue('file:///dev/null'),
      {},
      'document-format-not-supported',
    ],
    [
      'pages outside of the document',
      async () => laser.queue,
      { options: { pages: '7' }, document: buildPdf({ pages: 3 }) },
      'page-ranges-not-in-document',
    ],
    [
      'a PDF without pages',
      async () => laser.queue,
      { document: ODD_PDFS['no pages'] as Buffer },
      'document-format-error',
    ],
    ['a damaged PDF', async () => laser.queue, { document: buildPdf().subarray(0, 300) }, 'document-format-error'],
  ])('refuses a job for %s and leaves no job in the queue', async (_, queue, changes, reason) => {
    proves('option.pages.none')
    const spooler = openSpooler()
    const job = createSubmission(await queue(), changes)
    await expect(spooler.submitHeld(job)).rejects.toMatchObject({ name: 'SpoolerRefusal', reasons: [reason] })
    expect(await spooler.find(job.token)).toBeUndefined()
  })
})

/** Until the end of the test. */
async function setUnusualDefaults(queue: string): Promise<void> {
  const set = Object.entries(UNUSUAL_DEFAULTS).flatMap(([name, value]) => ['-o', `${name}-default=${value}`])
  const reset = Object.keys(UNUSUAL_DEFAULTS).flatMap((name) => ['-R', `${name}-default`])
  await run('lpadmin', '-p', queue, ...set)
  onTestFinished(async () => void (await run('lpadmin', '-p', queue, ...reset, '-o', 'job-sheets-default=none')))
}

async function addRejectingQueue(): Promise<string> {
  const queue = await addRawQueue('file:///dev/null')
  await run('cupsreject', queue)
  return queue
}
