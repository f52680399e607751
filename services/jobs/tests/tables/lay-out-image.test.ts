import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { layOutImage, type Sheets } from '../../images/lay-out-image.ts'

const LABEL = { width: 1016, height: 1524 }
const A4 = { width: 2100, height: 2970 }
const zebra: Sheets = { papers: [LABEL], dpis: [203, 300] }
const office: Sheets = { papers: [A4, LABEL], dpis: [600] }
const none: Sheets = { papers: [], dpis: [] }

test.each<[string, [number, number], number | undefined, Sheets, [number, number], [number, number]?]>([
  ['the pixels of the paper: one dot for one dot', [812, 1218], undefined, zebra, [288, 432]],
  ['the same in landscape', [1218, 812], undefined, zebra, [432, 288]],
  ['the same at the second resolution', [1200, 1800], undefined, zebra, [288, 432]],
  ['the same with another resolution in the image', [812, 1218], 96, zebra, [288, 432]],
  ['3 dots less than the paper, which is below half a millimetre', [809, 1215], 96, zebra, [286.94, 430.94]],
  ['4 dots less: its own resolution decides', [808, 1218], 96, zebra, [606, 913.5]],
  ['the width of a roll', [812, 3000], 72, { papers: [{ width: 1016 }], dpis: [203] }, [288, 1064.04]],
  ['a resolution of 72 dpi', [720, 144], 72, office, [720, 144]],
  ['a resolution of 1200 dpi', [1200, 2400], 1200, office, [72, 144]],
  ['71 dpi: fitted to the first paper', [1000, 2000], 71, office, [595.28, 841.89], [420.94, 841.89]],
  ['1201 dpi: likewise', [1000, 2000], 1201, office, [595.28, 841.89], [420.94, 841.89]],
  [
    'no resolution, landscape: the paper in landscape',
    [2000, 1000],
    undefined,
    office,
    [841.89, 595.28],
    [841.89, 420.94],
  ],
  ['no resolution, on a roll', [500, 1000], undefined, { papers: [{ width: 800 }], dpis: [203] }, [226.77, 453.54]],
  ['no resolution and no paper: A4', [1000, 2000], undefined, none, [595.28, 841.89], [420.94, 841.89]],
  ['one pixel: the smallest page of PDF', [1, 1], 300, none, [3, 3], [0.24, 0.24]],
  ['a long strip: the largest page of PDF', [60_000, 600], 72, none, [14_400, 144]],
])('the page of an image with %s', (_, [width, height], density, sheets, page, image = page) => {
  proves('image.density', 'image.fitted')
  const layout = layOutImage({ width, height }, density === undefined ? density : { x: density, y: density }, sheets)
  expect([layout.page.width, layout.page.height].map(round)).toEqual(page)
  expect([layout.image.width, layout.image.height].map(round)).toEqual(image)
})

const round = (points: number) => Math.round(points * 100) / 100
