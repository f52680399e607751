/** Rendering and placement of pages, and settings of the driver. Distances are in pixels of a printer with 300 dpi. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@bufbuild/protobuf'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { makePages, type TestPage } from '../../../test/cups/build-pdf.ts'
import { drawPages, ODD_PDFS } from '../../../test/cups/odd-pdfs.ts'
import { openPdf } from '../../spoolers/pdf/pages.ts'
import { placePage, planCopies, selectPages } from '../../spoolers/pdf/placement.ts'
import { toBitmap } from '../../spoolers/windows/bitmap.ts'
import { DC, readOffer } from '../../spoolers/windows/device-capabilities.ts'
import { applySettings, findRejected } from '../../spoolers/windows/devmode.ts'
import { planOptions } from '../../spoolers/windows/options.ts'
import { makeDataDir } from '../start-agent.ts'
import { LASER } from '../windows/driver-answers.ts'
import { A4_AT_300, createFakeWinspool } from '../windows/fake-winspool.ts'

const A4 = { width: 595, height: 842 }
const size = (width: number, height: number) => ({ width, height })
const RED_CORNER = '1 0 0 rg 0 0 100 50 re f'

async function openPages(pages: TestPage[] | Buffer) {
  const path = join(makeDataDir(), 'document')
  writeFileSync(path, Buffer.isBuffer(pages) ? pages : makePages(pages))
  return await openPdf(path)
}

/** Renders a page of 200 × 100 points with a red lower left quarter. @returns rows with one letter per pixel. */
async function renderCorner(
  quarterTurns: number,
  part: { x: number; y: number; width: number; height: number },
  gray = false,
) {
  const pdf = await openPages([{ width: 200, height: 100, content: RED_CORNER }])
  const [pageWidth, pageHeight] = quarterTurns % 2 === 0 ? [8, 4] : [4, 8]
  const pixels = Buffer.from(pdf.render(0, { pageWidth, pageHeight, quarterTurns, gray, part }))
  const letters = Array.from({ length: part.width * part.height }, (_, index) => {
    const color = pixels.readUInt32LE(index * 4) & 0xffffff
    return color === 0xff0000 ? 'R' : color === 0xffffff ? '.' : 'g'
  })
  return letters.join('').match(new RegExp(`.{${part.width}}`, 'g'))
}

const fullPage = (width: number, height: number) => ({ x: 0, y: 0, width, height })

test.each<[string, Parameters<typeof renderCorner>, string]>([
  ['upright', [0, fullPage(8, 4)], '........ ........ RRRR.... RRRR....'],
  ['rotated by 90 degrees', [1, fullPage(4, 8)], 'RR.. RR.. RR.. RR.. .... .... .... ....'],
  ['rotated by 270 degrees', [3, fullPage(4, 8)], '.... .... .... .... ..RR ..RR ..RR ..RR'],
  ['in an upper strip', [0, fullPage(8, 3)], '........ ........ RRRR....'],
  ['in a strip in its middle', [0, { x: 2, y: 3, width: 4, height: 1 }], 'RR..'],
  ['in grey', [0, fullPage(8, 4), true], '........ ........ gggg.... gggg....'],
])('a page with a red lower left corner is rendered %s', async (_, call, rows) => {
  proves('platform.rotate.windows.90', 'platform.rotate.windows.270')
  expect((await renderCorner(...call))?.join(' ')).toBe(rows)
})

test('a document returns the number of its pages and their sizes with the rotation applied', async () => {
  const page = { width: 200, height: 100, content: '' }
  const pdf = await openPages([page, { ...A4, content: '' }, { ...page, rotate: 90 }])
  expect([0, 1, 2].map(pdf.getSize)).toEqual([size(200, 100), A4, size(100, 200)])
  expect(pdf.count).toBe(3)
})

test('annotations and form fields are rendered if they are printed', async () => {
  const titles = [
    'a form field',
    'an annotation that is printed',
    'a hidden annotation',
    'an annotation that is not printed',
  ]
  const pages = await Promise.all(
    titles.map(async (title) => {
      const path = join(makeDataDir(), 'document')
      writeFileSync(path, ODD_PDFS[title] as Buffer)
      return await drawPages(path)
    }),
  )
  const [mark, withAnnotation] = [6_400, 6_400 + 20_000].map((amount) => expect.closeTo(amount, -3))
  expect(pages.map(([page]) => page?.amount)).toEqual([withAnnotation, withAnnotation, mark, mark])
})

const NO_PAGES = '2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>'

test.each([
  ['is damaged', '%PDF-1.7\nrandom data'],
  ['has no pages', `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n${NO_PAGES}`],
  ['is empty', ''],
])('a document that %s is refused', async (_, text) => {
  await expect(openPages(Buffer.from(text))).rejects.toMatchObject({
    name: 'SpoolerRefusal',
    reasons: ['document-format-error'],
    message: expect.stringContaining('Nothing was printed'),
  })
})

const LANDSCAPE = { width: 842, height: 595 }
const createWiderPage = (mm: number) => ({ width: A4.width + (mm * 72) / 25.4, height: 842 })
const ROLL = { ...A4_AT_300, physical: { width: 945, height: 38_000 }, printable: { width: 900, height: 37_900 } }
const UNEQUAL_DPI = { ...A4_AT_300, dpiY: 600, physical: size(2480, 7016), printable: size(2380, 6816) }
const FIT = ''

const position = (x: number, y: number) => ({ x, y })

test.each<[string, object, Parameters<typeof placePage>[2], Partial<ReturnType<typeof placePage>>, typeof A4_AT_300?]>([
  ['of the size of the sheet keeps it', A4, {}, { quarterTurns: 0, ...position(-50, -50), ...size(2479, 3508) }],
  ['that is smaller keeps its size', size(298, 420), {}, { ...position(-50, -50), ...size(1242, 1750) }],
  ['that is 0.9 mm too wide keeps its size', createWiderPage(0.9), {}, position(-50, -50)],
  [
    'that is 1.2 mm too wide is scaled to the printable area and centred',
    createWiderPage(1.2),
    {},
    { x: 0, y: 30, width: 2380 },
  ],
  [`is enlarged to fit ${FIT}`, size(298, 421), { fit: true }, size(2380, 3362)],
  [
    `that is larger is not scaled ${FIT}`,
    size(1190, 1684),
    { fit: false },
    { ...position(-50, -50), ...size(4958, 7017) },
  ],
  ['that is scaled to a roll is at its beginning', size(300, 400), {}, { ...position(0, 0), ...size(900, 1200) }, ROLL],
  ['in landscape is rotated if it does not fit', LANDSCAPE, {}, { quarterTurns: 3, ...size(2479, 3508) }],
  ['in landscape with rotate 90 is rotated', LANDSCAPE, { rotate: 90 }, { quarterTurns: 1, ...size(2479, 3508) }],
  ['with rotate 270 is rotated', A4, { rotate: 270 }, { quarterTurns: 3, width: 2380 }],
  ['in landscape that fits is not rotated', size(400, 300), {}, { quarterTurns: 0 }],
  ['in landscape that is scaled to the sheet is rotated', size(400, 300), { fit: true }, { quarterTurns: 3 }],
  ['has the resolution of a printer with 300 x 600 dpi', A4, { fit: false }, size(2479, 7017), UNEQUAL_DPI],
])('a page %s', (_, page, options, placement, sheet = A4_AT_300) => {
  proves('platform.fit_to_page.windows')
  expect(placePage(page as typeof A4, sheet, options)).toMatchObject(placement)
})

test('existing pages are selected in ascending order, each once', () => {
  const selected = ['-', '1', '4,1-2,2', '4-', '-2', '5-9'].map((pages) => selectPages(pages, 5).indexes.join(' '))
  expect(selected).toEqual(['0 1 2 3 4', '0', '0 1 3', '3 4', '0 1', '4'])
  expect(selectPages(undefined, 5)).toEqual({ indexes: [0, 1, 2, 3, 4], warnings: [] })
})

test.each([
  [
    'the driver makes all copies of one page up to its maximum',
    1,
    { qty: 3, copies: 2, maximum: 6, duplex: true },
    [6, 1, false],
  ],
  [
    'copies of one page above the maximum are sent in sets',
    1,
    { qty: 3, copies: 2, maximum: 5, duplex: false },
    [2, 3, false],
  ],
  [
    'each copy of one page is sent if the driver makes one copy',
    1,
    { qty: 3, copies: 1, maximum: 1, duplex: false },
    [1, 3, false],
  ],
  ['each set of two pages is sent', 2, { qty: 3, copies: 2, maximum: 99, duplex: true }, [2, 3, false]],
  [
    'a duplex set with an odd number of pages ends with an empty page',
    3,
    { qty: 2, copies: 1, maximum: 99, duplex: true },
    [1, 2, true],
  ],
  [
    'a single duplex set ends without an empty page',
    3,
    { qty: 1, copies: 4, maximum: 99, duplex: true },
    [4, 1, false],
  ],
  ['copies that the driver does not make are sent', 2, { qty: 2, copies: 3, maximum: 1, duplex: false }, [1, 6, false]],
] as const)('%s', (_, pages, requested, [byDriver, sets, blankBetween]) => {
  expect(planCopies(pages, requested)).toEqual({ byDriver, sets, blankBetween })
})

const createBitmap = (width: number, height: number, ...pixels: number[][]) => {
  const bitmap = toBitmap(Uint8Array.from(pixels.flatMap((pixel) => [...pixel, 0])), width, height)
  return bitmap && { rows: [...bitmap.rows], info: bitmap.info }
}
const WHITE = [255, 255, 255]
const gray = (value: number) => [value, value, value]

test('white parts are omitted; grey pixels have one byte and colours three, blue first; rows begin at the bottom and are padded to four bytes', () => {
  expect(createBitmap(2, 1, WHITE, WHITE)).toBeUndefined()
  const { info, rows } = createBitmap(2, 2, gray(1), gray(2), gray(3), WHITE) ?? expect.fail('no bitmap')
  expect(rows).toEqual([3, 255, 0, 0, 1, 2, 0, 0])
  expect([info.readUInt32LE(0), info.readInt32LE(4), info.readInt32LE(8), info.readUInt16LE(14)]).toEqual([40, 2, 2, 8])
  expect([info.length, ...info.subarray(40 + 4 * 200, 40 + 4 * 201)]).toEqual([40 + 256 * 4, 200, 200, 200, 0])
  const color = createBitmap(2, 1, [10, 20, 30], WHITE)
  expect(color?.rows).toEqual([10, 20, 30, 255, 255, 255, 0, 0])
  expect([color?.info.length, color?.info.readUInt16LE(14)]).toEqual([40, 24])
})

const readLaserOffer = (answers = LASER) =>
  readOffer(createFakeWinspool({ answers }).winspool, { name: 'Office', port: 'USB001' })

test('supported options are planned without a warning', async () => {
  const expected = { pages: '1-2', copies: 3, color: false, duplex: 'long-edge' }
  expect(
    planOptions({ ...expected, fit_to_page: true, rotate: 270, paper: 'A5', bin: 'Tray 2' }, await readLaserOffer()),
  ).toEqual({
    ...expected,
    placement: { fit: true, rotate: 270 },
    paper: { id: 11 },
    bin: 258,
    warnings: [],
  })
})

const NOT_ON_WINDOWS = 'it is not available on Windows'

test.each<[string, JsonObject]>([
  [NOT_ON_WINDOWS, { nup: 2, dpi: '600x600', media: 'Plain', collate: true, rotate: 180 }],
  ['this printer does not offer it', { color: true }],
  ['this printer makes at most 999 copies', { copies: 1000 }],
  ['this printer offers `A4`, `A5`, `Letter`', { paper: 'A3' }],
  ['this printer offers `Automatic`, `Tray 1`, `Tray 2`', { bin: 'Tray 9' }],
  ['this version of the agent does not support it', { staple: true }],
])('the warning "%s" is returned for each option of %j', async (reason, options) => {
  for (const [name, value] of Object.entries(options)) {
    const { warnings, ...plan } = planOptions({ [name]: value }, await readLaserOffer())
    const shown = typeof value === 'string' ? `\`${value}\`` : value
    expect(warnings).toEqual([`The computer ignored the option ${name} ${shown}: ${reason}.`])
    expect(plan).toEqual({ copies: 1, placement: {} })
  }
})

test('a custom paper of the maximum size is applied; a larger one is dropped', async () => {
  const size = { width: 2160, height: 3560 }
  const banner = planOptions({ paper: { name: 'Banner', ...size } }, await readLaserOffer())
  expect(banner).toMatchObject({ paper: { id: 256, size }, warnings: [] })
  const { paper, warnings } = planOptions(
    { paper: { name: 'Huge', width: 2161, height: 3000 } },
    await readLaserOffer(),
  )
  const warning =
    'The computer ignored the option paper `Huge`: this printer supports sizes from 76.2 x 127 mm to 216 x 356 mm, not 216.1 x 300 mm.'
  expect([paper, warnings]).toEqual([undefined, [warning]])
})

test('a simplex printer without custom papers accepts one-sided without a warning and drops other values', async () => {
  const simplex = await readLaserOffer({ ...LASER, [DC.PAPERS]: -1, [DC.DUPLEX]: 0 })
  expect(planOptions({ duplex: 'one-sided' }, simplex)).toEqual({ copies: 1, placement: {}, warnings: [] })
  expect(planOptions({ duplex: 'long-edge' }, simplex).warnings[0]).toContain('this printer offers `one-sided`')
  const { warnings } = planOptions({ paper: { name: 'C', width: 1000, height: 1000 } }, simplex)
  expect(warnings[0]).toContain('does not support custom papers')
})

/** Orientation, paper, length, width, copies, bin, colour and sides at the offsets of Windows. */
const readSettings = (devmode: Buffer) => [76, 78, 80, 82, 86, 88, 92, 94].map((offset) => devmode.readInt16LE(offset))
const readFields = (devmode: Buffer) => devmode.readUInt32LE(72)

test('settings are written to their fields of a DEVMODEW, and other bytes are unchanged', () => {
  const before = Buffer.alloc(300, 0x77)
  before.writeUInt32LE(0x1000c, 72)
  const after = applySettings(before, { copies: 4, paper: { id: 11 }, bin: 258, color: false, duplex: 'short-edge' })
  const unchanged = 0x7777
  expect(readSettings(after)).toEqual([1, 11, unchanged, unchanged, 4, 258, 1, 3])
  expect(readFields(after)).toBe(0x1 | 0x2 | 0x100 | 0x200 | 0x800 | 0x1000)
  const changed = [...after.keys()].filter((offset) => after[offset] !== before[offset])
  expect(changed.every((offset) => offset >= 72 && offset < 96)).toBe(true)
  expect(readFields(before)).toBe(0x1000c)
})

test('a custom paper is written with its width and length; ids above 32,767 are unsigned', () => {
  const paper = { id: 256, size: { width: 1000, height: 1500 } }
  const custom = applySettings(Buffer.alloc(220), { copies: 1, paper, bin: 65_535 })
  expect(readFields(custom)).toBe(0x1 | 0x2 | 0x4 | 0x8 | 0x100 | 0x200)
  expect(readSettings(custom)).toEqual([1, 256, 1500, 1000, 1, -1, 0, 0])
})

test('settings that a driver rejected are found', () => {
  const requested = { copies: 2, paper: { id: 11 }, bin: 258, color: true, duplex: 'long-edge' } as const
  const createResult = (changes: object) => applySettings(Buffer.alloc(220), { ...requested, ...changes })
  expect(findRejected(requested, createResult({}))).toEqual([])
  expect(findRejected(requested, createResult({ paper: { id: 9 }, copies: 1 }))).toEqual(['paper', 'copies'])
  expect(findRejected({ copies: 1 }, createResult({ copies: 1 }))).toEqual([])
})
