/** Jobs of the CUPS driver on a real CUPS with devices. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildPdf, makePages } from '../../../test/cups/build-pdf.ts'
import type { TestDevice } from '../../../test/cups/device.ts'
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
} from './on-cups.ts'

const RAW = Buffer.concat([Buffer.from('^XA^FDParcel^FS^XZ\r\n\0\xff', 'latin1'), Buffer.alloc(70_000, 'x')])

describe.skipIf(!hasCups)('CUPS', () => {
  const laser = useDevice('laser')
  const label = useDevice('label')
  const single = useDevice('single')

  const getLast = (device: TestDevice) => device.printed().at(-1) ?? expect.fail('nothing was printed')
  const printOnLaser = (changes: Parameters<typeof createSubmission>[1]) =>
    print(openSpooler(), createSubmission(laser.queue, changes))

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

  test('passes the options of a job to the device, and returns warnings for dropped options [platform.media.cups option.pages.printed qty.copies]', async () => {
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

  test.each([
    [true, 'collated'],
    [false, 'uncollated'],
  ])('collates copies as requested: %s [platform.collate.cups]', async (collate, order) => {
    expect(await printOnLaser({ options: { copies: 2, collate } })).toMatchObject({ warnings: [] })
    const { IPP_MULTIPLE_DOCUMENT_HANDLING: handling } = getLast(laser.device).attributes
    expect(handling).toBe(`separate-documents-${order}-copies`)
  })

  test('prints the selected pages that the document has, and a warning names the others [option.pages.partly]', async () => {
    const { warnings } = await printOnLaser({ options: { pages: '2-9' }, document: buildPdf({ pages: 3 }) })
    expect(inspectPrint(getLast(laser.device)).pages).toBe(2)
    expect(warnings).toEqual(['The computer ignored the option pages `4-9`: the document has 3 pages.'])
  })

  test('prints several pages on a side [platform.nup.cups]', async () => {
    const { warnings } = await printOnLaser({ options: { nup: 4 }, document: buildPdf({ pages: 5 }) })
    expect(warnings).toEqual([])
    expect(inspectPrint(getLast(laser.device)).pages).toBe(2)
  })

  test('passes the resolution to a driver that can select it [platform.dpi.cups]', async () => {
    const printer = await startRawPrinter()
    const driver = join(import.meta.dirname, '../../../test/cups/devices/postscript.ppd')
    const queue = await addRawQueue(printer.uri, '-P', driver)
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

  const describePosition = (printed: Parameters<typeof inspectPrint>[0]) => {
    const { isPortrait, mark } = inspectPrint(printed)
    return `${isPortrait} ${mark.y < 0.5 ? 'upper' : 'lower'} ${mark.x < 0.5 ? 'left' : 'right'}`
  }
  const LANDSCAPE = buildPdf({ width: 842, height: 595 })

  test.each([
    [90, 'upper right', [buildPdf(), LANDSCAPE]],
    [180, 'lower right', [LANDSCAPE]],
    [270, 'lower left', [buildPdf()]],
  ] as const)(
    'rotates portrait and landscape pages by %i degrees clockwise [option.rotate.printed]',
    async (rotate, position, documents) => {
      for (const document of documents) {
        await printOnLaser({ document, options: { rotate, fit_to_page: true } })
        expect(describePosition(getLast(laser.device))).toBe(`true ${position}`)
      }
    },
  )

  test('rotates a label that CUPS converts to a raster', async () => {
    const document = buildPdf({ width: 432, height: 288 })
    const job = createSubmission(label.queue, { document, options: { rotate: 90, paper: '4x6in' } })
    expect(await print(openSpooler(), job)).toMatchObject({ end: { is: 'completed' } })
    expect(describePosition(getLast(label.device))).toBe('true upper right')
  })

  test('rotates pages at 100 % if they fit on the sheet, and shrinks larger ones [option.rotate.unscaled]', async () => {
    // A label of 50 x 30 mm with a bar of 20 x 5 mm.
    const [width, height, bar] = [142, 85, { width: 57, height: 14 }]
    const content = `0 g 20 40 ${bar.width} ${bar.height} re f`
    const document = makePages([{ width, height, content }])
    const getMark = async (used: typeof label, changes: Parameters<typeof createSubmission>[1]) => {
      expect(await print(openSpooler(), createSubmission(used.queue, changes))).toMatchObject({
        end: { is: 'completed' },
      })
      return inspectPrint(getLast(used.device)).mark.size
    }
    const expected = Math.sqrt((bar.width * bar.height) / (288 * 432))
    for (const rotate of [90, 180, 270])
      expect(await getMark(label, { document, options: { rotate, paper: '4x6in' } })).toBeCloseTo(expected, 2)
    // A page of A4 on A5. At 100 % the side of the mark would be 8 % of the sheet.
    expect(await getMark(laser, { options: { rotate: 90, paper: 'A5' } })).toBeLessThan(0.06)
  })

  test('scales pages that are larger than the sheet, and other pages according to fit_to_page [option.fit_to_page.true option.fit_to_page.false option.fit_to_page.unset]', async () => {
    const small = buildPdf({ width: 298, height: 421 })
    const large = buildPdf({ width: 1190, height: 1684 })
    const getMarkSize = async (document: Buffer, options = {}) => {
      await printOnLaser({ document, options })
      return inspectPrint(getLast(laser.device)).mark.size
    }
    const unscaled = await getMarkSize(buildPdf())
    expect(await getMarkSize(small)).toBeCloseTo(unscaled, 2)
    expect(await getMarkSize(small, { fit_to_page: true })).toBeGreaterThan(unscaled * 1.7)
    expect(await getMarkSize(large)).toBeLessThan(unscaled * 0.7)
    // The mark is outside the sheet.
    expect(await getMarkSize(large, { fit_to_page: false })).toBe(0)
  })

  test.each([
    ['a device that makes one copy', single, 3, { copies: 1 }, ['1', '1', '1']],
    ['a device that makes 99 copies', laser, 100, { duplex: 'long-edge' }, ['50', '50']],
  ] as const)('prints a job qty times on %s [qty.prints]', async (_, used, qty, options, copies) => {
    const before = used.device.printed().length
    const job = createSubmission(used.queue, { qty, options, document: buildPdf({ pages: 3 }) })
    expect(await print(openSpooler(), job)).toMatchObject({ end: { is: 'completed' }, warnings: [] })
    const printed = used.device.printed().slice(before)
    expect(printed.map(({ attributes }) => attributes.IPP_COPIES ?? '1')).toEqual(copies)
    expect(printed.map((one) => inspectPrint(one).pages)).toEqual(copies.map(() => 3))
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

  test('sends raw bytes unchanged `qty` times and ignores options [qty.prints]', async () => {
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
    ['a damaged PDF', async () => laser.queue, { document: buildPdf().subarray(0, 300) }, 'document-format-error'],
  ])('refuses a job for %s and leaves no job in the queue [option.pages.none]', async (_, queue, changes, reason) => {
    const spooler = openSpooler()
    const job = createSubmission(await queue(), changes)
    await expect(spooler.submitHeld(job)).rejects.toMatchObject({ name: 'SpoolerRefusal', reasons: [reason] })
    expect(await spooler.find(job.token)).toBeUndefined()
  })
})

async function addRejectingQueue(): Promise<string> {
  const queue = await addRawQueue('file:///dev/null')
  await run('cupsreject', queue)
  return queue
}
