/** What a real CUPS and its devices make of a job of the driver. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import type { TestDevice } from '../../../test/cups/device.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { startRawPrinter } from '../raw-printer.ts'
import {
  addRawQueue,
  hasCups,
  look,
  openSpooler,
  PRINT_LIMIT_MS,
  print,
  run,
  submission,
  useDevice,
} from './on-cups.ts'

const RAW = Buffer.concat([Buffer.from('^XA^FDParcel^FS^XZ\r\n\0\xff', 'latin1'), Buffer.alloc(70_000, 'x')])

describe.skipIf(!hasCups)('CUPS', () => {
  const laser = useDevice('laser')
  const label = useDevice('label')

  const lastOf = (device: TestDevice) => device.printed().at(-1) ?? expect.fail('nothing was printed')
  const printOnLaser = (changes: Parameters<typeof submission>[1]) =>
    print(openSpooler(), submission(laser.queue, changes))

  test('holds a job until it is released; then it is processed and completed, once', async () => {
    const spooler = openSpooler()
    const before = laser.device.printed().length
    const { spoolerJobId: held, warnings } = await spooler.submitHeld(submission(laser.queue))
    expect(warnings).toEqual([])
    const { spoolerJobId: next } = await spooler.submitHeld(submission(laser.queue))
    // Until it is seen: a late look would find the end.
    laser.device.emptyMedia(true)
    onTestFinished(() => laser.device.emptyMedia(false))
    await spooler.release(next)
    const states: string[] = []
    for await (const { is } of spooler.watch(next, AbortSignal.timeout(PRINT_LIMIT_MS))) {
      states.push(is)
      if (is === 'processing') laser.device.emptyMedia(false)
    }
    expect(states.slice(-2)).toEqual(['processing', 'completed'])
    expect(await spooler.state(held)).toMatchObject({ is: 'held' })
    expect(laser.device.printed()).toHaveLength(before + 1)
    await spooler.release(held)
    const isCompleted = async () => expect(await spooler.state(held)).toMatchObject({ is: 'completed' })
    await waitFor(isCompleted, PRINT_LIMIT_MS)
    expect(laser.device.printed()).toHaveLength(before + 2)
    await expect(spooler.release(held)).rejects.toThrow()
  })

  test('finds a job by its token, in every state, also for another agent', async () => {
    const job = submission(laser.queue, { title: `${'🖨'.repeat(255)}\n` })
    const { spoolerJobId } = await openSpooler().submitHeld(job)
    const later = openSpooler()
    expect(await later.find(job.token)).toMatchObject({ spoolerJobId, state: { is: 'held' } })
    await later.remove(spoolerJobId)
    expect(await later.find(job.token)).toMatchObject({ spoolerJobId, state: { is: 'aborted' } })
    expect(await later.find(randomUUID())).toBeUndefined()
  })

  test('gives the device the options of a job, and the job warnings for dropped ones [platform.media.cups option.pages.printed qty.copies]', async () => {
    const same = { duplex: 'long-edge', pages: '2,4-', paper: 'A5', bin: 'tray-2', media: 'labels' }
    const options = { ...same, copies: 2, dpi: '600x600', color: true }
    const { end, warnings } = await printOnLaser({ options, qty: 3, document: buildPdf({ pages: 5 }) })
    expect(end).toMatchObject({ is: 'completed' })
    const printed = lastOf(laser.device)
    expect(printed.attributes).toMatchObject({ IPP_COPIES: '6', IPP_SIDES: 'two-sided-long-edge' })
    for (const part of ['x-dimension=14800 y-dimension=21000', 'media-source=tray-2', 'media-type=labels'])
      expect(printed.attributes.IPP_MEDIA_COL).toContain(part)
    expect(look(printed)).toMatchObject({ pages: 3 })
    expect(warnings).toEqual([expect.stringMatching(/dpi `600x600`.*no choice/), expect.stringMatching(/color true/)])
  })

  test.each([
    [true, 'collated'],
    [false, 'uncollated'],
  ])('collates copies as asked: %s [platform.collate.cups]', async (collate, how) => {
    expect(await printOnLaser({ options: { copies: 2, collate } })).toMatchObject({ warnings: [] })
    const { IPP_MULTIPLE_DOCUMENT_HANDLING: handling } = lastOf(laser.device).attributes
    expect(handling).toBe(`separate-documents-${how}-copies`)
  })

  test('puts several pages on a side [platform.nup.cups]', async () => {
    const { warnings } = await printOnLaser({ options: { nup: 4 }, document: buildPdf({ pages: 5 }) })
    expect(warnings).toEqual([])
    expect(look(lastOf(laser.device)).pages).toBe(2)
  })

  test('gives the driver the resolution, if it has a choice [platform.dpi.cups]', async () => {
    const printer = await startRawPrinter()
    const driver = join(import.meta.dirname, '../../../test/cups/devices/postscript.ppd')
    const queue = await addRawQueue(printer.uri, '-P', driver)
    for (const [dpi, used, warned] of [
      ['600x600', '600dpi', 0],
      ['1200x1200', '300dpi', 1],
    ] as const) {
      const before = printer.printed().length
      const { warnings } = await print(openSpooler(), submission(queue, { options: { dpi } }))
      expect(warnings).toHaveLength(warned)
      const printed = await waitFor(() => printer.printed()[before] ?? expect.fail('nothing was printed'))
      expect(/BeginFeature: \*Resolution (\S+)/.exec(printed.toString('latin1'))?.[1]).toBe(used)
    }
  })

  const placeOf = (printed: Parameters<typeof look>[0]) => {
    const { isPortrait, mark } = look(printed)
    return `${isPortrait} ${mark.y < 0.5 ? 'upper' : 'lower'} ${mark.x < 0.5 ? 'left' : 'right'}`
  }
  const LANDSCAPE = buildPdf({ width: 842, height: 595 })

  test.each([
    [90, 'upper right', [buildPdf(), LANDSCAPE]],
    [180, 'lower right', [LANDSCAPE]],
    [270, 'lower left', [buildPdf()]],
  ] as const)(
    'rotates pages by %i degrees clockwise, portrait and landscape ones [option.rotate.printed]',
    async (rotate, where, documents) => {
      for (const document of documents) {
        await printOnLaser({ document, options: { rotate, fit_to_page: true } })
        expect(placeOf(lastOf(laser.device))).toBe(`true ${where}`)
      }
    },
  )

  test('rotates a label that it makes a raster of', async () => {
    const document = buildPdf({ width: 432, height: 288 })
    const job = submission(label.queue, { document, options: { rotate: 90, paper: '4x6in' } })
    expect(await print(openSpooler(), job)).toMatchObject({ end: { is: 'completed' } })
    expect(placeOf(lastOf(label.device))).toBe('true upper right')
  })

  test('scales down pages that are larger than the sheet, and others as fit_to_page requires [option.fit_to_page.true option.fit_to_page.false option.fit_to_page.unset]', async () => {
    const small = buildPdf({ width: 298, height: 421 })
    const large = buildPdf({ width: 1190, height: 1684 })
    const markOf = async (document: Buffer, options = {}) => {
      await printOnLaser({ document, options })
      return look(lastOf(laser.device)).mark.size
    }
    const unscaled = await markOf(buildPdf())
    expect(await markOf(small)).toBeCloseTo(unscaled, 2)
    expect(await markOf(small, { fit_to_page: true })).toBeGreaterThan(unscaled * 1.7)
    expect(await markOf(large)).toBeLessThan(unscaled * 0.7)
    // The mark is outside of the sheet.
    expect(await markOf(large, { fit_to_page: false })).toBe(0)
  })

  test('sends raw bytes unchanged, `qty` times, and ignores options [qty.prints]', async () => {
    const printer = await startRawPrinter()
    const job = { contentType: 'raw_base64', document: RAW, options: { copies: 9 }, qty: 3 }
    const { end, warnings } = await print(openSpooler(), submission(await addRawQueue(printer.uri), job))
    expect([end?.is, warnings]).toEqual(['completed', []])
    await waitFor(() => expect(Buffer.concat(printer.printed()).equals(Buffer.concat([RAW, RAW, RAW]))).toBe(true))
  })

  test.each<[string, () => Promise<string>, Parameters<typeof submission>[1], string]>([
    ['an unknown queue', async () => 'No/such queue', {}, 'printer-not-found'],
    ['a queue that rejects jobs', rejecting, { contentType: 'raw_uri' }, 'printer-not-accepting-jobs'],
    ['a damaged PDF', async () => laser.queue, { document: buildPdf().subarray(0, 300) }, 'document-format-error'],
  ])('refuses a job for %s and has no trace of it', async (_, queue, changes, reason) => {
    const spooler = openSpooler()
    const job = submission(await queue(), changes)
    await expect(spooler.submitHeld(job)).rejects.toMatchObject({ name: 'SpoolerRefusal', reasons: [reason] })
    expect(await spooler.find(job.token)).toBeUndefined()
  })
})

async function rejecting(): Promise<string> {
  const queue = await addRawQueue('file:///dev/null')
  await run('cupsreject', queue)
  return queue
}
