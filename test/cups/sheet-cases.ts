/**
 * Documents and options for the preview of sheets (`services/dashboard/src/features/print/preview`).
 * `printed-sheets.json` has what CUPS printed for them: `agent/tests/cups/sheets.test.ts` compares it with CUPS, tests
 * of the dashboard compare it with the preview.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makePages, type TestPage } from './build-pdf.ts'

export type SheetPage = Omit<TestPage, 'content'> & { isBlank?: boolean }

/** Tenths of a millimetre. */
const PAPERS = {
  A4: [2100, 2970],
  A5: [1480, 2100],
  Letter: [2159, 2794],
  Label: [1016, 1524],
  Wide: [2000, 1300],
} as const

export interface SheetCase {
  pages: SheetPage[]
  paper: keyof typeof PAPERS
  options: {
    pages?: string
    nup?: number
    rotate?: 90 | 180 | 270
    fit_to_page?: boolean
    duplex?: 'long-edge' | 'short-edge'
  }
}

const page = (width: number, height: number, more: Partial<SheetPage> = {}): SheetPage => ({ width, height, ...more })
const turn = ({ width, height, ...more }: SheetPage): SheetPage => ({ ...more, width: height, height: width })
const [A4, A5, A3, LETTER, LABEL] = [page(595, 842), page(420, 595), page(842, 1190), page(612, 792), page(288, 432)]
const CROPPED = page(595, 842, { crop: [100, 300, 500, 800] })
const of = (count: number, one = A4) => Array.from({ length: count }, () => one)

const cases: [pages: SheetPage[], paper: SheetCase['paper'], options?: SheetCase['options']][] = [
  [[A4], 'A4'],
  [[A5], 'A4'],
  [[A5], 'A4', { fit_to_page: true }],
  [[A3], 'A4'],
  [[A3], 'A4', { fit_to_page: false }],
  [[LETTER], 'A4'],
  [[A4], 'Letter'],
  [[turn(A4)], 'A4'],
  [[turn(A5)], 'A4', { fit_to_page: true }],
  [[turn(A3)], 'A4'],
  [[turn(A3)], 'A4', { fit_to_page: false }],
  [[A4], 'Label'],
  [[turn(LABEL)], 'Label'],
  [[A5, A4, turn(A5)], 'A4'],
  [[A5, A3, turn(A5)], 'A4'],
  [[A5, A3, turn(A5)], 'A4', { pages: '1,3' }],
  [
    [
      { ...A4, rotate: 90 },
      { ...A4, rotate: 180 },
      { ...turn(A4), rotate: 270 },
    ],
    'A4',
  ],
  [[{ ...A5, rotate: 90 }], 'A4', { rotate: 90 }],
  [[{ ...A5, rotate: 90 }], 'A4', { rotate: 180, fit_to_page: true }],
  [[CROPPED], 'A4'],
  [[CROPPED], 'A4', { fit_to_page: true }],
  [[page(300, 400, { userUnit: 1.5 })], 'A4'],
  [[{ ...A4, isBlank: true }, A4], 'A4', { duplex: 'long-edge' }],
  [of(5), 'A4', { pages: '5,1-3', duplex: 'long-edge' }],
  [[A4], 'A4', { rotate: 90 }],
  [[A5], 'A4', { rotate: 90 }],
  [[A5], 'A4', { rotate: 90, fit_to_page: true }],
  [[A5], 'A4', { rotate: 180 }],
  [[turn(A5)], 'A4', { rotate: 180 }],
  [[turn(A5)], 'A4', { rotate: 270 }],
  [[A5, A3], 'A4', { rotate: 270 }],
  [[A4], 'A4', { rotate: 270, fit_to_page: false }],
  [of(3), 'A4', { nup: 2 }],
  [of(3), 'A4', { nup: 2, fit_to_page: true, duplex: 'short-edge' }],
  [[A5, turn(A5)], 'A4', { nup: 2 }],
  [[A5, turn(A5)], 'A4', { nup: 2, fit_to_page: true }],
  [[A3, A5], 'A4', { nup: 2, fit_to_page: false }],
  [of(3), 'A4', { nup: 2, rotate: 90 }],
  [of(3), 'A4', { nup: 2, rotate: 180 }],
  [of(3, A5), 'A4', { nup: 2, rotate: 270 }],
  [of(5, LETTER), 'Letter', { nup: 4 }],
  [[A4, turn(A4), A5], 'A4', { nup: 4, rotate: 90 }],
  [of(7), 'A4', { nup: 4, pages: '2' }],
  [of(7), 'A4', { nup: 6 }],
  [of(3), 'Wide', { nup: 6 }],
  [of(7, turn(A4)), 'A4', { nup: 6 }],
  [of(7), 'A5', { nup: 9 }],
  [of(7, A5), 'A4', { nup: 16, rotate: 180 }],
  [[A5, turn(A5)], 'Wide'],
  [of(3, A5), 'Wide', { nup: 2 }],
  [[A5], 'Wide', { rotate: 90 }],
]

const describePage = ({ width, height, rotate, crop, userUnit, isBlank }: SheetPage) =>
  `${width}x${height}${isBlank ? ' blank' : ''}${rotate ? ` /Rotate ${rotate}` : ''}${crop ? ' cropped' : ''}${userUnit ? ` unit ${userUnit}` : ''}`

const describeCase = ([pages, paper, options = {}]: (typeof cases)[number]) => {
  const first = describePage(pages[0] as SheetPage)
  const isSame = pages.every((one) => describePage(one) === first)
  return `${isSame ? `${pages.length} of ${first}` : pages.map(describePage).join(' + ')} on ${paper} ${JSON.stringify(options)}`
}

/** Cases by title. */
export const SHEET_CASES = new Map<string, SheetCase>(
  cases.map((one) => [describeCase(one), { pages: one[0], paper: one[1], options: one[2] ?? {} }]),
)

/** What CUPS printed: a line for each side, as `formatSide` writes it. */
export const PRINTED_FILE = join(import.meta.dirname, 'printed-sheets.json')
const printed = (): Record<string, string[]> => JSON.parse(readFileSync(PRINTED_FILE, 'utf8'))

export const formatSide = (side: number[][]) => side.map((part) => part.join(' ')).join(', ')

/** For `toEqual`: the sides that CUPS printed, each position within 5 points. */
export const expectPrinted = (title: string): unknown =>
  (printed()[title] ?? expect.fail(`not recorded: ${title}`)).map((side) =>
    side.split(', ').map((part) => {
      const values = part.split(' ').map(Number)
      return values.map((value, at) => (values.length > 2 && at === 0 ? value : expect.closeTo(value, -1)))
    }),
  )

/** In tenths of a millimetre. */
export const toPaper = ({ paper }: SheetCase) => ({ name: paper, width: PAPERS[paper][0], height: PAPERS[paper][1] })

/** A step of the 8 bits of red, in which the number of the page is. */
const RED_STEP = 12
const [LIGHT, DARK] = [220, 90]

/** The whole page is blue, its upper left quarter green; red is different on each page. */
export const buildDocument = ({ pages }: SheetCase): Buffer =>
  makePages(
    pages.map(({ isBlank, ...one }, index) => {
      const [left, bottom, right, top] = one.crop ?? [0, 0, one.width, one.height]
      const color = (green: number, blue: number) =>
        [RED_STEP * (index + 1), green, blue].map((part) => (part / 255).toFixed(4)).join(' ')
      const page = `${color(DARK, LIGHT)} rg 0 0 ${one.width} ${one.height} re f`
      const quarter = `${color(LIGHT, DARK)} rg ${left} ${(bottom + top) / 2} ${(right - left) / 2} ${(top - bottom) / 2} re f`
      return { ...one, content: isBlank ? '' : `${page} ${quarter}` }
    }),
  )

/** Left, top, right and bottom in points from the upper left corner of the sheet. */
type Box = [number, number, number, number]

interface Picture {
  width: number
  height: number
  pixels: ArrayLike<number>
  /** 3 for RGB, 4 for RGBA. */
  channels: number
}

/**
 * Finds the pages on a picture of one side of a sheet. @param pixelsPerPoint of the picture.
 *
 * @returns size of the sheet, then for each page its number, the box of its visible part, and that of its upper left
 *   quarter.
 */
export function readSide({ width, height, pixels, channels }: Picture, pixelsPerPoint: number): number[][] {
  const boxes = new Map<number, { page: Box; quarter: Box }>()
  const none = (): Box => [width, height, 0, 0]
  const extend = (box: Box, x: number, y: number) => {
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x + 1)
    box[3] = Math.max(box[3], y + 1)
  }
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += channels) {
      const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]]
      const isQuarter = isNear(green, LIGHT) && isNear(blue, DARK)
      if (!isQuarter && !(isNear(green, DARK) && isNear(blue, LIGHT))) continue
      const number = Math.round(red / RED_STEP)
      const found = boxes.get(number) ?? { page: none(), quarter: none() }
      boxes.set(number, found)
      extend(found.page, x, y)
      if (isQuarter) extend(found.quarter, x, y)
    }
  const toPoints = (values: number[]) => values.map((value) => Math.round(value / pixelsPerPoint))
  const pages = [...boxes].toSorted(([a], [b]) => a - b)
  return [
    toPoints([width, height]),
    ...pages.map(([number, { page, quarter }]) => [
      number,
      ...toPoints(page),
      ...(quarter[2] > 0 ? toPoints(quarter) : []),
    ]),
  ]
}

const isNear = (value: number, expected: number) => Math.abs(value - expected) <= 3
