/** Pages of PWG raster and Apple raster as PDFs. What CUPS makes of the same files: `edge/convert-raster.test.ts`. */
import { random } from '@platen/test/harness/random.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { convertImage } from '../../images/convert-image.ts'
import { PIXELS_MAX } from '../../images/lay-out-image.ts'
import { draw } from '../draw-pdf.ts'
import { createPage, NOT_MIRRORED, type Page, writeRaster } from '../write-raster.ts'

const SHEETS = { papers: [], dpis: [] }
/** @returns RGB, as it is to be seen. */
function show({ width, height, colours, mirrored, rows }: Page): Buffer {
  const pixel = (x: number, y: number, colour: number) => {
    const row = rows[mirrored.down ? height - 1 - y : y] as Buffer
    const column = mirrored.across ? width - 1 - x : x
    if (colours === 'rgb') return row[column * 3 + colour] ?? 0
    if (colours === 'gray') return row[column] ?? 0
    return ((row[column >> 3] ?? 0) >> (7 - (column & 7))) & 1 ? 0 : 255
  }
  const rgb = Buffer.alloc(width * height * 3)
  for (let at = 0; at < rgb.length; at++)
    rgb[at] = pixel(Math.floor(at / 3) % width, Math.floor(at / 3 / width), at % 3)
  return rgb
}

const SIZE = { width: 45, height: 31 }
const ALL_COLOURS = ['black', 'gray', 'rgb'] as const
const MIRRORED = [
  NOT_MIRRORED,
  { across: true, down: false },
  { across: false, down: true },
  { across: true, down: true },
]

test.each([
  ['pwg', MIRRORED],
  ['urf', [NOT_MIRRORED]],
] as const)('each pixel of each page of %s is printed, also of a back that is mirrored', async (format, mirrors) => {
  proves('image.raster')
  const seed = 1 + Math.floor(Math.random() * 1_000_000)
  const next = random(seed)
  const colours = format === 'urf' ? (['gray', 'rgb'] as const) : ALL_COLOURS
  const pages = colours.flatMap((one) =>
    mirrors.map((mirrored) => createPage(next, { ...SIZE, colours: one, mirrored })),
  )
  const { count, sizes, render } = await draw(await convertImage(writeRaster(format, pages, next), SHEETS))
  expect(sizes, `seed ${seed}`).toEqual(pages.map(() => SIZE))
  for (let page = 0; page < count; page++) {
    const drawn = await render(SIZE.width, SIZE.height, page)
    expect(drawn.equals(show(pages[page] as Page)), `seed ${seed}, page ${page}`).toBe(true)
  }
})

test('a page whose pixels cannot be compressed becomes a JPEG that shows the same', async () => {
  const next = random(7)
  const facts = { width: 700, height: 700, colours: 'rgb' as const, mirrored: NOT_MIRRORED }
  const rows = Array.from({ length: facts.height }, (_, y) =>
    Buffer.from(Array.from({ length: facts.width * 3 }, (_, x) => (x + y + next(40)) % 256)),
  )
  const page = { ...facts, rows }
  const pdf = await convertImage(writeRaster('pwg', [page], next), SHEETS)
  expect(pdf.includes('/DCTDecode')).toBe(true)
  const drawn = await (await draw(pdf)).render(facts.width, facts.height)
  const shown = show(page)
  expect(drawn.reduce((sum, value, at) => sum + Math.abs(value - (shown[at] ?? 0)), 0) / drawn.length).toBeLessThan(12)
})

const FIRST = createPage(random(1), { ...SIZE, colours: 'gray', mirrored: NOT_MIRRORED })
const DOCUMENT = writeRaster('pwg', [FIRST], random(1))
const change = (at: number, value: number) => {
  const changed = Buffer.from(DOCUMENT)
  changed.writeUInt32BE(value, at + 4)
  return changed
}
test.each([
  ['without a page', DOCUMENT.subarray(0, 4), 'image_damaged'],
  ['cut off in a header', DOCUMENT.subarray(0, 1000), 'image_damaged'],
  ['cut off in a row', DOCUMENT.subarray(0, -1), 'image_damaged'],
  ['with bytes behind its last page', Buffer.concat([DOCUMENT, Buffer.alloc(9)]), 'image_damaged'],
  ['with fewer rows than it has', change(376, FIRST.height - 1), 'image_damaged'],
  ['with another length of its rows', change(392, SIZE.width + 1), 'image_damaged'],
  ['with 2³¹ pixels across', change(372, 2 ** 31), 'image_pixels'],
  ['with too many pixels', change(376, Math.ceil((PIXELS_MAX + 1) / SIZE.width)), 'image_pixels'],
  ['without a resolution', change(276, 0), 'image_damaged'],
  ['in CMYK', change(400, 6), 'image_damaged'],
])('a raster %s is refused', async (_, document, fault) => {
  await expect(convertImage(document, SHEETS)).rejects.toMatchObject({ fault })
})
