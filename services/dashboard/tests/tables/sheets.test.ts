import { expect, test } from 'vitest'
import { detectFormat } from '../../src/preview/detect-format.ts'
import {
  countSheets,
  type PrintOptions,
  placePage,
  selectPages,
  toReadSize,
  toSheets,
} from '../../src/preview/sheets.ts'

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

const A4 = { width: 595, height: 842 }
const A5 = { width: 420, height: 595 }
const A3 = { width: 842, height: 1190 }

test.each<[string, { width: number; height: number }, PrintOptions, object]>([
  ['is centered at 100 % if it is smaller', A5, {}, { scale: 1, rotation: 0, x: 87.5, y: 123.5 }],
  ['is enlarged by fit_to_page', A5, { fit_to_page: true }, { scale: 842 / 595, rotation: 0 }],
  ['shrinks if it is larger', A3, {}, { scale: 595 / 842, rotation: 0, x: 0, width: 595 }],
  ['keeps its size with fit_to_page false', A3, { fit_to_page: false }, { scale: 1, x: -123.5 }],
  ['follows the orientation of the sheet', { width: 842, height: 595 }, {}, { rotation: 90, scale: 1, x: 0 }],
  ['is rotated as requested', A4, { rotate: 180 }, { rotation: 180, scale: 1 }],
  ['is not turned if it is square', { width: 500, height: 500 }, {}, { rotation: 0, y: 171 }],
])('a page on A4 %s', (_, page, options, expected) => expect(placePage(page, A4, 0, options)).toMatchObject(expected))

test('two pages share a sheet in landscape', () => {
  const sheet = toReadSize(A4, 2)
  expect(sheet).toEqual({ width: 842, height: 595 })
  const [left, right] = [0, 1].map((index) => placePage(A4, sheet, index, { nup: 2 }))
  expect([left?.cell.x, right?.cell.x, left?.rotation]).toEqual([0, 421, 0])
})

test('a square page is not turned on a sheet in landscape either', () => {
  const page = { width: 500, height: 500 }
  expect(placePage(page, { width: 842, height: 595 }, 0, {})).toMatchObject({ rotation: 0, x: 171, y: 47.5 })
})

test.each<[nup: number, index: number, sheet: [number, number], cell: [number, number, number, number]]>([
  [4, 3, [595, 842], [297.5, 421, 297.5, 421]],
  [9, 5, [600, 900], [400, 300, 200, 300]],
  [16, 6, [600, 800], [300, 200, 150, 200]],
  [6, 4, [600, 900], [300, 300, 300, 300]],
  [2, 1, [900, 600], [450, 0, 450, 600]],
  [6, 2, [900, 900], [600, 0, 300, 450]],
])('with %i pages on a sheet the one at %i of a sheet of %j has the cell %j', (nup, index, [width, height], cell) => {
  const small = { width: 20, height: 30 }
  const placed = placePage(small, toReadSize({ width, height }, nup), index, { nup })
  expect(Object.values(placed.cell)).toEqual(cell)
  const [x, y, cellWidth, cellHeight] = cell
  expect([placed.x + placed.width / 2, placed.y + placed.height / 2]).toEqual([x + cellWidth / 2, y + cellHeight / 2])
  // Small pages are enlarged.
  expect(placed.scale).toBe(Math.min(cellWidth / small.width, cellHeight / small.height))
})

test.each([
  ['%PDF-1.7', 'PDF'],
  ['%!PS-Adobe-3.0', 'PostScript'],
  ['\x1b%-12345X@PJL ENTER LANGUAGE = POSTSCRIPT\n', 'PostScript'],
  ['\x1b%-12345X@PJL ENTER LANGUAGE = PCL\n', 'PCL'],
  ['\x1bE\x1b&l0O', 'PCL'],
  ['^XA^FO50,50', 'ZPL'],
  ['\n~DGR:LOGO', 'ZPL'],
  ['\nN\nA50,0,0,1', 'EPL'],
  ['SIZE 100 mm, 150 mm\r\n', 'TSPL'],
  ['\x1b\x1da\x01', 'Star'],
  ['\x1b@Hello', 'ESC/POS'],
  ['\x1d!\x11', 'ESC/POS'],
  ['Hello', undefined],
])('the format of %j is %s', (text, format) => expect(detectFormat(Buffer.from(text, 'latin1'))).toBe(format))
