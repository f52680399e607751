import { expectPrinted, SHEET_CASES, type SheetCase, type SheetPage, toPaper } from '@platen/test/cups/sheet-cases.ts'
import { expect, test } from 'vitest'
import {
  countSheets,
  cropPage,
  isScaled,
  type Page,
  type Placement,
  type PrintOptions,
  placePage,
  placePart,
  type Size,
  selectPages,
  toReadSize,
  toSheets,
} from '../../src/features/print/preview/sheets.ts'

test.each<[string | null, number[]]>([
  [null, [1, 2, 3, 4, 5]],
  ['2', [2]],
  ['4,1-2', [1, 2, 4]],
  ['4-', [4, 5]],
  ['-2', [1, 2]],
  ['-', [1, 2, 3, 4, 5]],
  ['5-9', [5]],
  ['6', []],
])('pages %j of 5 are %j', (pages, expected) => expect(selectPages(pages, 5)).toEqual(expected))

test.each<[PrintOptions, unknown]>([
  [
    {},
    [
      [[1], undefined],
      [[2], undefined],
      [[3], undefined],
    ],
  ],
  [
    { duplex: 'long-edge' },
    [
      [[1], [2]],
      [[3], []],
    ],
  ],
  [
    { nup: 2 },
    [
      [[1, 2], undefined],
      [[3], undefined],
    ],
  ],
  [{ nup: 2, duplex: 'short-edge' }, [[[1, 2], [3]]]],
])('the sheets of 3 pages with %j', (options, expected) =>
  expect(toSheets(3, options).map(({ front, back }) => [front, back])).toEqual(expected),
)

test.each([
  [1, 1, 1, '1 sheet'],
  [2, 1, 1, '2 sheets'],
  [2, 2, 3, '2 sheets × 2 copies × qty 3 = 12 sheets'],
  [1, 2, 1, '1 sheet × 2 copies = 2 sheets'],
  [1, 1, 2, '1 sheet × qty 2 = 2 sheets'],
])('%i sheets, %i copies and qty %i are "%s"', (sheets, copies, qty, text) =>
  expect(countSheets(sheets, copies, qty)).toBe(text),
)

const A4 = { width: 595, height: 842, rotate: 0 }

test('the preview shows the part of a page that `crop` selects, also when it is rotated', () => {
  const show = (sheet: Size, options: PrintOptions) =>
    placePart(A4, options.crop, (part) => placePage(part, sheet, 0, options, false))
  const label = show({ width: 288, height: 432 }, { crop: '1000,500,1016,1524' })
  const near = (points: number) => expect.closeTo(points, 0)
  // 283 and 142 points.
  expect(label).toMatchObject({ x: near(-283), y: near(-142), scale: 1, rotation: 0 })
  expect(label.clip).toEqual({ x: near(0), y: near(0), width: near(288), height: near(432) })
  const rotated = show({ width: 288, height: 288 }, { crop: '1000,500,1016,1016', rotate: 90 })
  expect(rotated).toMatchObject({ x: near(-(842 - 142 - 288)), y: near(-283), rotation: 90 })
  expect(rotated.clip).toEqual({ x: near(0), y: near(0), width: near(288), height: near(288) })
})

test.each([
  ['0,0,1016,1524', [288, 432]],
  ['1800,0,9999,9999', [85, 842]],
  ['9000,0,10,10', [595, 842]],
  ['auto', [595, 842]],
  [null, [595, 842]],
])('`crop` %s of a page of A4 is %j', (crop, expected) => {
  const { width, height } = cropPage(A4, crop)
  expect([Math.round(width), Math.round(height)]).toEqual(expected)
})

test.each([...SHEET_CASES])('the preview shows what CUPS prints: %s', (title, one) =>
  expect(showSides(one)).toEqual(expectPrinted(title)),
)

const POINTS_PER_TENTH = 72 / 254

/** The sides of the preview, as `readSide` describes those of CUPS. */
function showSides({ pages, options, ...one }: SheetCase): number[][][] {
  const paper = toPaper({ pages, options, ...one })
  const sheet = { width: paper.width * POINTS_PER_TENTH, height: paper.height * POINTS_PER_TENTH }
  const shown = pages.map(toShown)
  const scaled = isScaled(shown, sheet, options)
  const read = toReadSize(sheet, options)
  const sides = toSheets(pages.length, options).flatMap(({ front, back = [] }) => [front, back])
  return sides
    .filter((side) => side.length > 0)
    .map((side) => [
      [sheet.width, sheet.height],
      ...side.flatMap((number, index) => {
        const page = pages[number - 1] as SheetPage
        if (page.isBlank) return []
        const placement = placePage(shown[number - 1] as Page, sheet, index, options, scaled)
        const parts = findParts(page).map((part) => cut(move(part, page, placement), placement, read))
        return [[number, ...parts.flatMap((part) => (read === sheet ? part : rotate(part, read, 90)))]]
      }),
    ])
}

/** Left, top, right and bottom. */
type Box = [number, number, number, number]

const getCrop = ({ crop, width, height }: SheetPage) => crop ?? [0, 0, width, height]
const cropSize = (page: SheetPage, [left, bottom, right, top] = getCrop(page)) => ({
  width: (right - left) * (page.userUnit ?? 1),
  height: (top - bottom) * (page.userUnit ?? 1),
})

function toShown(page: SheetPage): Page {
  const [, , width, height] = rotate([0, 0, cropSize(page).width, cropSize(page).height], cropSize(page), page.rotate)
  return { width, height, rotate: page.rotate ?? 0 }
}

/** The whole page and its upper left quarter, from the upper left corner of the crop box. */
function findParts(page: SheetPage): Box[] {
  const [left, , , top] = getCrop(page)
  const { width, height } = cropSize(page)
  return [
    [-left, top - page.height, page.width - left, top].map((value) => value * (page.userUnit ?? 1)) as Box,
    [0, 0, width / 2, height / 2],
  ]
}

/** Clockwise by quarters. @param area the size of what is rotated, in which the box is. */
function rotate([left, top, right, bottom]: Box, { width, height }: Size, degrees = 0): Box {
  if (degrees <= 0) return [left, top, right, bottom]
  return rotate([height - bottom, left, height - top, right], { width: height, height: width }, degrees - 90)
}

function move(part: Box, page: SheetPage, { x, y, rotation, scale }: Placement): Box {
  const [left, top, right, bottom] = rotate(part, cropSize(page), (page.rotate ?? 0) + rotation)
  return [x + left * scale, y + top * scale, x + right * scale, y + bottom * scale]
}

function cut([left, top, right, bottom]: Box, { clip }: Placement, sheet: Size): Box {
  return [
    Math.max(left, clip.x, 0),
    Math.max(top, clip.y, 0),
    Math.min(right, clip.x + clip.width, sheet.width),
    Math.min(bottom, clip.y + clip.height, sheet.height),
  ]
}
