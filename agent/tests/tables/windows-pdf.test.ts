/** Pages as pixels, their places on the sheet, and the settings of the driver. Distances are in pixels of a printer with 300 dpi. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@bufbuild/protobuf'
import { expect, onTestFinished, test } from 'vitest'
import { makePages, type TestPage } from '../../../test/cups/build-pdf.ts'
import { toBitmap } from '../../spoolers/windows/bitmap.ts'
import { DC, readOffer } from '../../spoolers/windows/device-capabilities.ts'
import { findRejected, withSettings } from '../../spoolers/windows/devmode.ts'
import { planOptions } from '../../spoolers/windows/options.ts'
import { openPdf } from '../../spoolers/windows/pdf-pages.ts'
import { placePage, planCopies, selectPages } from '../../spoolers/windows/placement.ts'
import { makeDataDir } from '../start-agent.ts'
import { LASER } from '../windows/driver-answers.ts'
import { A4_AT_300, createFakeWinspool } from '../windows/fake-winspool.ts'

const A4 = { width: 595, height: 842 }
const size = (width: number, height: number) => ({ width, height })
const RED_CORNER = '1 0 0 rg 0 0 100 50 re f'

async function openPages(pages: TestPage[] | Buffer) {
  const path = join(makeDataDir(), 'document')
  writeFileSync(path, Buffer.isBuffer(pages) ? pages : makePages(pages))
  const pdf = await openPdf(path)
  onTestFinished(() => pdf.close())
  return pdf
}

/** One letter for each pixel of a page of 200 × 100 points that is red in its lower left quarter. */
async function drawCorner(turn: number, part: { x: number; y: number; width: number; height: number }, gray = false) {
  const pdf = await openPages([{ width: 200, height: 100, content: RED_CORNER }])
  const [pageWidth, pageHeight] = turn % 2 === 0 ? [8, 4] : [4, 8]
  const pixels = Buffer.from(pdf.render(0, { pageWidth, pageHeight, turn, gray, part }))
  const letters = Array.from({ length: part.width * part.height }, (_, index) => {
    const color = pixels.readUInt32LE(index * 4) & 0xffffff
    return color === 0xff0000 ? 'R' : color === 0xffffff ? '.' : 'g'
  })
  return letters.join('').match(new RegExp(`.{${part.width}}`, 'g'))
}

const whole = (width: number, height: number) => ({ x: 0, y: 0, width, height })

test.each<[string, Parameters<typeof drawCorner>, string]>([
  ['upright', [0, whole(8, 4)], '........ ........ RRRR.... RRRR....'],
  ['turned 90 degrees [platform.rotate.windows.90]', [1, whole(4, 8)], 'RR.. RR.. RR.. RR.. .... .... .... ....'],
  ['turned 270 degrees [platform.rotate.windows.270]', [3, whole(4, 8)], '.... .... .... .... ..RR ..RR ..RR ..RR'],
  ['in an upper strip', [0, whole(8, 3)], '........ ........ RRRR....'],
  ['in a strip in its middle', [0, { x: 2, y: 3, width: 4, height: 1 }], 'RR..'],
  ['in gray', [0, whole(8, 4), true], '........ ........ gggg.... gggg....'],
])('a page with a red lower left corner is drawn %s', async (_, call, rows) => {
  expect((await drawCorner(...call))?.join(' ')).toBe(rows)
})

test('a document has its pages, each of its own size, which respects its rotation', async () => {
  const page = { width: 200, height: 100, content: '' }
  const pdf = await openPages([page, { ...A4, content: '' }, { ...page, rotate: 90 }])
  expect([0, 1, 2].map(pdf.getSize)).toEqual([size(200, 100), A4, size(100, 200)])
  expect(pdf.count).toBe(3)
})

const NO_PAGES = '2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>'

test.each([
  ['is damaged', '%PDF-1.7\nrubbish'],
  ['has no pages', `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n${NO_PAGES}`],
  ['is empty', ''],
])('a document that %s is refused', async (_, text) => {
  await expect(openPages(Buffer.from(text))).rejects.toMatchObject({
    name: 'SpoolerRefusal',
    reasons: ['document-format-error'],
    message: expect.stringContaining('Nothing was printed'),
  })
})

const ACROSS = { width: 842, height: 595 }
const wider = (mm: number) => ({ width: A4.width + (mm * 72) / 25.4, height: 842 })
const ROLL = { ...A4_AT_300, physical: { width: 945, height: 38_000 }, printable: { width: 900, height: 37_900 } }
const UNEVEN = { ...A4_AT_300, dpiY: 600, physical: size(2480, 7016), printable: size(2380, 6816) }
const FIT = '[platform.fit_to_page.windows]'

const at = (x: number, y: number) => ({ x, y })

test.each<[string, object, Parameters<typeof placePage>[2], Partial<ReturnType<typeof placePage>>, typeof A4_AT_300?]>([
  ['of the size of the sheet keeps it', A4, {}, { turn: 0, ...at(-50, -50), ...size(2479, 3508) }],
  ['that is smaller keeps its size', size(298, 420), {}, { ...at(-50, -50), ...size(1242, 1750) }],
  ['that is 0.9 mm too wide keeps its size', wider(0.9), {}, at(-50, -50)],
  ['that is 1.2 mm too wide fits the printable area, in the middle', wider(1.2), {}, { x: 0, y: 30, width: 2380 }],
  [`is enlarged to fit ${FIT}`, size(298, 421), { fit: true }, size(2380, 3362)],
  [`that is larger is not fitted ${FIT}`, size(1190, 1684), { fit: false }, { ...at(-50, -50), ...size(4958, 7017) }],
  ['fitted to a roll is at its beginning', size(300, 400), {}, { ...at(0, 0), ...size(900, 1200) }, ROLL],
  ['in landscape is turned when it would not fit', ACROSS, {}, { turn: 3, ...size(2479, 3508) }],
  ['in landscape with rotate 90', ACROSS, { rotate: 90 }, { turn: 1, ...size(2479, 3508) }],
  ['with rotate 270', A4, { rotate: 270 }, { turn: 3, width: 2380 }],
  ['in landscape that fits is not turned', size(400, 300), {}, { turn: 0 }],
  ['in landscape is turned to be enlarged', size(400, 300), { fit: true }, { turn: 3 }],
  ['on a printer with 300 x 600 dpi', A4, { fit: false }, size(2479, 7017), UNEVEN],
])('the place of a page %s', (_, page, options, place, sheet = A4_AT_300) => {
  expect(placePage(page as typeof A4, sheet, options)).toMatchObject(place)
})

test('the chosen pages are those that the document of 5 pages has, ascending, each once', () => {
  const chosen = ['-', '1', '4,1-2,2', '4-', '-2', '5-9', '6'].map((pages) => selectPages(pages, 5).join(' '))
  expect(chosen).toEqual(['0 1 2 3 4', '0', '0 1 3', '3 4', '0 1', '4', ''])
  expect(selectPages(undefined, 5)).toEqual([0, 1, 2, 3, 4])
})

test.each([
  ['one page, as often as the driver can', 1, { qty: 3, copies: 2, most: 6, duplex: true }, [6, 1, false]],
  ['one page, more often than that', 1, { qty: 3, copies: 2, most: 5, duplex: false }, [2, 3, false]],
  ['one page on a driver that counts to one', 1, { qty: 3, copies: 1, most: 1, duplex: false }, [1, 3, false]],
  ['sets of two pages', 2, { qty: 3, copies: 2, most: 99, duplex: true }, [2, 3, false]],
  ['odd sets on both sides', 3, { qty: 2, copies: 1, most: 99, duplex: true }, [1, 2, true]],
  ['one odd set on both sides', 3, { qty: 1, copies: 4, most: 99, duplex: true }, [4, 1, false]],
  ['copies that the driver does not make', 2, { qty: 2, copies: 3, most: 1, duplex: false }, [1, 6, false]],
] as const)('%s', (_, pages, asked, [byDriver, sets, blankBetween]) => {
  expect(planCopies(pages, asked)).toEqual({ byDriver, sets, blankBetween })
})

const bitmap = (width: number, height: number, ...pixels: number[][]) => {
  const made = toBitmap(Uint8Array.from(pixels.flatMap((pixel) => [...pixel, 0])), width, height)
  return made && { rows: [...made.rows], info: made.info }
}
const WHITE = [255, 255, 255]
const gray = (value: number) => [value, value, value]

test('white is not sent; grays are a byte each and colours three, blue first; rows begin at the bottom and fill four bytes', () => {
  expect(bitmap(2, 1, WHITE, WHITE)).toBeUndefined()
  const { info, rows } = bitmap(2, 2, gray(1), gray(2), gray(3), WHITE) ?? expect.fail('nothing is sent')
  expect(rows).toEqual([3, 255, 0, 0, 1, 2, 0, 0])
  expect([info.readUInt32LE(0), info.readInt32LE(4), info.readInt32LE(8), info.readUInt16LE(14)]).toEqual([40, 2, 2, 8])
  expect([info.length, ...info.subarray(40 + 4 * 200, 40 + 4 * 201)]).toEqual([40 + 256 * 4, 200, 200, 200, 0])
  const color = bitmap(2, 1, [10, 20, 30], WHITE)
  expect(color?.rows).toEqual([10, 20, 30, 255, 255, 255, 0, 0])
  expect([color?.info.length, color?.info.readUInt16LE(14)]).toEqual([40, 24])
})

const offer = (answers = LASER) =>
  readOffer(createFakeWinspool({ answers }).winspool, { name: 'Office', port: 'USB001' })

test('supported options are planned without a warning', async () => {
  const same = { pages: '1-2', copies: 3, color: false, duplex: 'long-edge' }
  expect(planOptions({ ...same, fit_to_page: true, rotate: 270, paper: 'A5', bin: 'Tray 2' }, await offer())).toEqual({
    ...same,
    placement: { fit: true, rotate: 270 },
    paper: { id: 11 },
    bin: 258,
    warnings: [],
  })
})

const NOT_ON_WINDOWS = 'it is not available on Windows'
const NOT_OFFERED = 'this printer does not offer it'

test.each<[string, JsonObject]>([
  [NOT_ON_WINDOWS, { nup: 2, dpi: '600x600', media: 'Plain', collate: true, rotate: 180 }],
  [NOT_OFFERED, { color: true, copies: 1000, paper: 'A3', bin: 'Tray 9' }],
  ['this agent does not know the option', { staple: true }],
])('with the warning "%s" each of %j is dropped', async (why, options) => {
  for (const [name, value] of Object.entries(options)) {
    const { warnings, ...plan } = planOptions({ [name]: value }, await offer())
    const shown = typeof value === 'string' ? `\`${value}\`` : value
    expect(warnings).toEqual([`The computer ignored the option ${name} ${shown}: ${why}.`])
    expect(plan).toEqual({ copies: 1, placement: {} })
  }
})

test('a custom paper of the largest size is set by its size; a larger one is dropped', async () => {
  const size = { width: 2160, height: 3560 }
  const banner = planOptions({ paper: { name: 'Banner', ...size } }, await offer())
  expect(banner).toMatchObject({ paper: { id: 256, size }, warnings: [] })
  const { paper, warnings } = planOptions({ paper: { name: 'Huge', width: 2161, height: 3000 } }, await offer())
  const warning = 'The computer ignored the option paper `Huge`: this printer takes no paper of that size.'
  expect([paper, warnings]).toEqual([undefined, [warning]])
})

test('a simplex printer without custom papers: one-sided is no warning, the others are dropped', async () => {
  const plain = await offer({ ...LASER, [DC.PAPERS]: -1, [DC.DUPLEX]: 0 })
  expect(planOptions({ duplex: 'one-sided' }, plain)).toEqual({ copies: 1, placement: {}, warnings: [] })
  expect(planOptions({ duplex: 'long-edge' }, plain).warnings).toHaveLength(1)
  const { warnings } = planOptions({ paper: { name: 'C', width: 1000, height: 1000 } }, plain)
  expect(warnings[0]).toContain('no papers of a custom size')
})

/** Orientation, paper, its length and width, copies, bin, colour and sides, at the places that Windows gives them. */
const read = (devmode: Buffer) => [76, 78, 80, 82, 86, 88, 92, 94].map((at) => devmode.readInt16LE(at))
const fieldsOf = (devmode: Buffer) => devmode.readUInt32LE(72)

test('settings have their places in a DEVMODEW, and the rest stays as the driver made it', () => {
  const before = Buffer.alloc(300, 0x77)
  before.writeUInt32LE(0x1000c, 72)
  const after = withSettings(before, { copies: 4, paper: { id: 11 }, bin: 258, color: false, duplex: 'short-edge' })
  const same = 0x7777
  expect(read(after)).toEqual([1, 11, same, same, 4, 258, 1, 3])
  expect(fieldsOf(after)).toBe(0x1 | 0x2 | 0x100 | 0x200 | 0x800 | 0x1000)
  const changed = [...after.keys()].filter((at) => after[at] !== before[at])
  expect(changed.every((at) => at >= 72 && at < 96)).toBe(true)
  expect(fieldsOf(before)).toBe(0x1000c)
})

test('a custom paper has its width and length; ids above 32,767 are unsigned', () => {
  const paper = { id: 256, size: { width: 1000, height: 1500 } }
  const custom = withSettings(Buffer.alloc(220), { copies: 1, paper, bin: 65_535 })
  expect(fieldsOf(custom)).toBe(0x1 | 0x2 | 0x4 | 0x8 | 0x100 | 0x200)
  expect(read(custom)).toEqual([1, 256, 1500, 1000, 1, -1, 0, 0])
})

test('settings that a driver did not take are found', () => {
  const asked = { copies: 2, paper: { id: 11 }, bin: 258, color: true, duplex: 'long-edge' } as const
  const taken = (changes: object) => withSettings(Buffer.alloc(220), { ...asked, ...changes })
  expect(findRejected(asked, taken({}))).toEqual([])
  expect(findRejected(asked, taken({ paper: { id: 9 }, copies: 1 }))).toEqual(['paper', 'copies'])
  expect(findRejected({ copies: 1 }, taken({ copies: 1 }))).toEqual([])
})
