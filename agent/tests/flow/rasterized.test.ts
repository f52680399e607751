/** PDFs on raw printers whose language is known. */
import { proves } from '@platen/test/harness/rules.ts'
import { pino } from 'pino'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { convertImage } from '../../../services/jobs/images/convert-image.ts'
import { makePages } from '../../../test/cups/build-pdf.ts'
import { ODD_PDFS } from '../../../test/cups/odd-pdfs.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { inspectPdfs } from '../../spoolers/inspect-pdfs.ts'
import { createNetworkSpooler } from '../../spoolers/network/network-spooler.ts'
import type { RasterPrinter, RasterSettings } from '../../spoolers/raster/raster-printer.ts'
import { rasterizePdfs } from '../../spoolers/rasterize-pdfs.ts'
import type { Submission } from '../../spoolers/spooler.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { drawCode128, readCodes, readEscpos, readZpl } from '../read-raster.ts'
import { makeDataDir } from '../start-agent.ts'
import { makeSubmission } from '../submission.ts'

const ZEBRA: RasterPrinter = { rawLanguage: 'zpl', dpi: 203, width: 812 }
const EPSON: RasterPrinter = { rawLanguage: 'escpos', dpi: 203, width: 576 }
const PAPERS = { '4x6': [1016, 1524], Roll: [800, null] } satisfies Record<string, [number, number | null]>

async function openRaster(printer: RasterSettings | false) {
  const device = await startRawPrinter()
  const printers = [{ name: 'Raw', uri: device.uri, papers: PAPERS }]
  const log = pino({ level: 'silent' })
  const network = createNetworkSpooler({ dir: makeDataDir(), printers, log })
  const spooler = inspectPdfs(rasterizePdfs(network, () => printer))
  spooler.start?.()
  onTestFinished(() => void spooler.close?.())
  const submit = (document: Buffer, changes: Partial<Submission> = {}) =>
    spooler.submitHeld(makeSubmission(document, 'Raw', { contentType: 'pdf_base64', ...changes }))
  return {
    spooler,
    submit,
    /** @returns what the printer gets, and the warnings. */
    async print(...args: Parameters<typeof submit>) {
      const { spoolerJobId, warnings } = await submit(...args)
      await spooler.release(spoolerJobId)
      await waitFor(() => expect(device.printed()).toHaveLength(1))
      return { data: device.printed()[0] as Buffer, warnings }
    },
  }
}

const label = (content: string) => ({ width: 288, height: 432, content })

test('a PNG of 812 x 1218 dots is printed dot for dot by a ZPL printer with 203 dpi', async () => {
  proves('rasterize.dots')
  const pixels = Buffer.from(Uint8Array.from({ length: 812 * 1218 }, (_, at) => ((at * 7919) % 13 < 6 ? 0 : 255)))
  const png = await sharp(pixels, { raw: { width: 812, height: 1218, channels: 1 } })
    .png()
    .toBuffer()
  const { print } = await openRaster(ZEBRA)
  const { data } = await print(await convertImage(png, { papers: [{ width: 1016, height: 1524 }], dpis: [203] }))
  const [printed] = readZpl(data)
  expect([printed?.width, printed?.length]).toEqual([812, 1218])
  const different = pixels.filter(
    (value, at) => printed?.dots.isBlack(at % 812, Math.floor(at / 812)) !== (value === 0),
  )
  expect(different.length).toBe(0)
})

test('a bar code in a PDF is read from the dots of ZPL and ESC/POS', async () => {
  proves('rasterize.zpl', 'rasterize.escpos')
  const code = await drawCode128('PLATEN-128', { x: 20, y: 300, module: 1.1, height: 60 })
  const pdf = makePages([{ ...label(code), width: 204 }])
  const zebra = await openRaster(ZEBRA)
  const [printed] = readZpl((await zebra.print(pdf)).data)
  expect(printed && (await readCodes(printed.dots))).toEqual(['PLATEN-128'])
  const epson = await openRaster(EPSON)
  const [receipt] = readEscpos((await epson.print(pdf)).data)
  expect(receipt && (await readCodes(receipt))).toEqual(['PLATEN-128'])
})

test('a label on an A4 page is cropped by a box or to its ink, in its size', async () => {
  proves('option.crop.box', 'option.crop.auto', 'option.crop.outside', 'rasterize.options')
  const code = await drawCode128('PLATEN-128', { x: 40, y: 600, module: 1.1, height: 60 })
  // The label is in the upper left corner of the page, and the other mark beside it.
  const make = (other: string) => makePages([{ width: 595, height: 842, content: `${code} ${other}` }])
  const read = async (document: Buffer, crop: string) => {
    const zebra = await openRaster(ZEBRA)
    const { data, warnings } = await zebra.print(document, { options: { crop } })
    const [printed] = readZpl(data)
    return { codes: printed && (await readCodes(printed.dots)), length: printed?.length, printed, warnings }
  }
  const box = await read(make('0 g 0 300 595 80 re f'), '0,0,1016,1524')
  // The bars begin 40 points from the left and 182 from the top, and the bar below is cut off.
  expect(box).toMatchObject({ codes: ['PLATEN-128'], length: 1218, warnings: [], printed: { dots: { height: 682 } } })
  const dots = box.printed?.dots
  expect([dots?.isBlack(111, 600), dots?.isBlack(115, 600), dots?.isBlack(115, 500)]).toEqual([false, true, false])
  const ink = await read(make(''), 'auto')
  expect(ink).toMatchObject({ codes: ['PLATEN-128'], warnings: [] })
  // 60 points and twice 3 mm.
  expect(Math.abs((ink.length ?? 0) - (169 + 48))).toBeLessThanOrEqual(3)

  const outside = await read(make(''), '3000,0,10,10')
  expect(outside.warnings).toEqual([
    'The computer ignored the option crop `3000,0,10,10`: the box is outside of page 1.',
  ])
  expect((await read(make(''), '-5,0,10,10')).warnings).toEqual([
    'The computer ignored the option crop `-5,0,10,10`: it is not a box.',
  ])
})

test('each page is a label, or a receipt that ends at its last dot and is cut', async () => {
  proves('rasterize.pages')
  const pdf = makePages(['0 g 0 216 144 72 re f', '', '0 g 0 0 288 72 re f'].map(label))
  const zebra = await openRaster(ZEBRA)
  const labels = readZpl((await zebra.print(pdf)).data)
  expect(labels.map(({ length, dots }) => [length, dots.height])).toEqual([
    [1218, 609],
    [1218, 0],
    [1218, 1218],
  ])
  const epson = await openRaster(EPSON)
  const receipts = readEscpos((await epson.print(pdf)).data)
  // The page is as wide as the head: 2 of 4 inches, and 3 of 6.
  expect(receipts.map(({ width, height }) => [width, height])).toEqual([
    [576, 432],
    [576, 0],
    [576, 864],
  ])
})

test('a drawn label comes out the same after a raw label that changed the printer', async () => {
  proves('rasterize.reset')
  const { print } = await openRaster(ZEBRA)
  const { data } = await print(makePages([label('0 g 0 216 72 144 re f')]))
  const raw = Buffer.from('^XA^POI^PMY^LRY^MUM^JMB^PW400^LL300^XZ\n~CC+~CD;~CT!')
  const read = (zpl: Buffer) => {
    const { dots, width, length, isScaled } = readZpl(zpl).at(-1) as ReturnType<typeof readZpl>[number]
    const rows = [202, 203, 400, 608, 610].map((y) => [0, 202, 204, 608, 811].map((x) => dots.isBlack(x, y)))
    return { width, length, isScaled, rows }
  }
  const printed = read(data)
  expect(printed.rows[1]).toEqual([true, true, false, false, false])
  expect(read(Buffer.concat([raw, data]))).toEqual(printed)
})

test('a document that names a font without its letters is drawn, and its job has the reason', async () => {
  proves('content.pdf.fonts')
  const { submit } = await openRaster(ZEBRA)
  const { warnings, documentWarnings } = await submit(ODD_PDFS['a font that it does not contain'] as Buffer)
  expect(warnings).toEqual([])
  expect(documentWarnings).toMatchObject([
    { reason: 'font-not-embedded', message: expect.stringContaining('`Verdana`') },
    { reason: 'page-scaled', message: expect.stringContaining('at 48 % to fit the paper of 101.6 x 143.8 mm') },
  ])
})

test('the options of a page, copies and qty are applied; others are named', async () => {
  proves('rasterize.options')
  const { print } = await openRaster(ZEBRA)
  const pdf = makePages(['0 g 0 0 72 72 re f', '0 g 216 360 72 72 re f'].map(label))
  const options = {
    pages: '2',
    copies: 2,
    duplex: 'long-edge',
    bin: 'Tray 1',
    dpi: '203x203',
    color: false,
    paper: 'A4',
  }
  const { data, warnings } = await print(pdf, { options, qty: 3 })
  const labels = readZpl(data)
  expect(labels).toHaveLength(6)
  // The upper right corner of the second page.
  for (const { dots } of labels)
    expect([dots.height, dots.isBlack(608, 0), dots.isBlack(610, 0)]).toEqual([203, false, true])
  expect(warnings).toEqual([
    'The computer ignored the option paper `A4`: this printer offers `4x6`, `Roll`.',
    'The computer ignored the option duplex `long-edge`: this printer does not offer it.',
    'The computer ignored the option bin `Tray 1`: this printer does not offer it.',
  ])
})

test.each<[string, object, [number, number, string], [number, number]]>([
  ['a page as wide as the head', {}, [288, 144, '0 g 0 0 288 144 re f'], [812, 406]],
  ['a smaller page, at 100 %', {}, [144, 72, '0 g 0 0 144 72 re f'], [406, 203]],
  ['a smaller page with `fit_to_page`', { fit_to_page: true }, [144, 72, '0 g 0 0 144 72 re f'], [812, 406]],
  ['a wider page, scaled down', {}, [576, 720, '0 g 0 0 576 720 re f'], [812, 1015]],
  ['a wider page without `fit_to_page`, cut off', { fit_to_page: false }, [576, 72, '0 g 0 0 576 72 re f'], [812, 203]],
  ['a label in landscape, rotated', {}, [432, 288, '0 g 0 0 432 288 re f'], [812, 1218]],
  ['`rotate` 90', { rotate: 90 }, [144, 288, '0 g 0 0 144 288 re f'], [812, 406]],
  ['a paper', { paper: '4x6' }, [288, 864, '0 g 0 0 288 864 re f'], [406, 1218]],
  ['a custom paper', { paper: { name: 'x', width: 508, height: 254 } }, [288, 144, '0 g 0 0 288 144 re f'], [406, 203]],
  ['a roll, scaled down', { paper: 'Roll' }, [252, 144, '0 g 0 0 252 144 re f'], [639, 365]],
])('%s has its place', async (_, options, [width, height, content], [inkWidth, inkHeight]) => {
  proves('rasterize.size')
  const { print } = await openRaster(ZEBRA)
  const [printed] = readZpl((await print(makePages([{ width, height, content }]), { options: { ...options } })).data)
  const { dots } = printed as NonNullable<typeof printed>
  const columns = Array.from({ length: dots.width }, (_, x) => dots.isBlack(x, dots.height - 1)).filter(Boolean).length
  expect(Math.abs(columns - inkWidth)).toBeLessThanOrEqual(1)
  expect(Math.abs(dots.height - inkHeight)).toBeLessThanOrEqual(1)
})

test('a layer for paper is drawn, and one for the screen is not', async () => {
  proves('content.pdf.layers.paper')
  const { print } = await openRaster(ZEBRA)
  const pdf = ODD_PDFS['a layer for the screen and one for paper'] as Buffer
  const { data } = await print(pdf, { options: { fit_to_page: false } })
  const [printed] = readZpl(data)
  const isBlack = (x: number, y: number) => printed?.dots.isBlack(...toDots(x, y))
  const toDots = (x: number, y: number): [number, number] => [Math.round((x / 72) * 203), Math.round((y / 72) * 203)]
  // On the mark, the layer for the screen, and the layer for paper.
  expect([isBlack(100, 100), isBlack(250, 100), isBlack(100, 440)]).toEqual([true, false, true])
})

test('the unit of a page multiplies its size', async () => {
  proves('rasterize.size')
  const { print } = await openRaster(ZEBRA)
  const page = { width: 96, height: 72, content: '0 g 0 0 96 72 re f', userUnit: 2 }
  const [printed] = readZpl((await print(makePages([page]))).data)
  expect([printed?.length, printed?.dots.height, printed?.dots.isBlack(540, 200)]).toEqual([406, 406, true])
  expect(printed?.dots.isBlack(543, 200)).toBe(false)
})

test('images with tones are dithered, text and scaled pictures of bars are not', async () => {
  proves('rasterize.dither')
  const ramp = Buffer.from(Uint8Array.from({ length: 200 * 100 }, (_, at) => Math.floor(((at % 200) * 255) / 199)))
  const photo = await sharp(ramp, { raw: { width: 200, height: 100, channels: 1 } })
    .png()
    .toBuffer()
  const sheets = { papers: [{ width: 1016, height: 508 }], dpis: [203] }
  const { print } = await openRaster(ZEBRA)
  const [printed] = readZpl((await print(await convertImage(photo, sheets))).data)
  const { dots } = printed as NonNullable<typeof printed>
  const share = (from: number, to: number) => {
    let black = 0
    for (let y = 0; y < 400; y++) for (let x = from; x < to; x++) if (dots.isBlack(x, y)) black++
    return black / (400 * (to - from))
  }
  // The mean of each quarter is that of the picture, within 3 %.
  for (const quarter of [0, 1, 2, 3])
    expect(Math.abs(share(quarter * 203, (quarter + 1) * 203) - (1 - (quarter + 0.5) / 4))).toBeLessThan(0.03)

  const bars = Buffer.from(Uint8Array.from({ length: 300 * 150 }, (_, at) => ((at % 300) % 6 < 3 ? 0 : 255)))
  const code = await sharp(bars, { raw: { width: 300, height: 150, channels: 1 } })
    .png()
    .toBuffer()
  const second = await openRaster(ZEBRA)
  const [barred] = readZpl((await second.print(await convertImage(code, sheets))).data)
  const rows = [10, 100, 300].map((y) => Array.from({ length: 812 }, (_, x) => barred?.dots.isBlack(x, y)))
  expect(rows[1]).toEqual(rows[0])
  expect(rows[2]).toEqual(rows[0])
})

test('raw data and printers without a language stay as they are; the message says what to set', async () => {
  proves('rasterize.off', 'printer.formats')
  const { print, spooler } = await openRaster(ZEBRA)
  expect((await print(Buffer.from('^XA^XZ'), { contentType: 'raw_base64' })).data.toString()).toBe('^XA^XZ')
  expect((await spooler.printers())[0]?.capabilities).toMatchObject({
    rasterizes: true,
    formats: { names: ['pdf', 'raw'] },
    raster: { rawLanguage: 'zpl', dpi: 203, width: 812 },
    dpis: ['203x203'],
    copies: 99,
    papers: [{ name: '4x6' }, { name: 'Roll' }],
  })
  for (const printer of [false, {}] as const) {
    const off = await openRaster(printer)
    const [{ capabilities } = {}] = await off.spooler.printers()
    expect(capabilities).not.toHaveProperty('rasterizes')
    expect(capabilities).toMatchObject({ formats: { names: ['raw'] } })
    await expect(off.submit(makePages([label('')]))).rejects.toMatchObject({
      message: expect.stringContaining('set the language of a ZPL or ESC/POS printer on its page'),
      reasons: ['document-format-not-supported'],
    })
  }
})

test('a page that is too long for the memory of the agent is refused', async () => {
  const { submit } = await openRaster(EPSON)
  await expect(submit(makePages([{ width: 204, height: 14_400, content: '' }]))).rejects.toMatchObject({
    message: 'Page 1 of the document is too long for this printer. Nothing was printed.',
    reasons: ['document-format-error'],
  })
})
