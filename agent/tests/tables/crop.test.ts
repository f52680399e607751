/** The option `crop`: the part of each page that is printed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { makePages, type TestPage } from '../../../test/cups/build-pdf.ts'
import { drawPages, ODD_PDFS } from '../../../test/cups/odd-pdfs.ts'
import { type Crop, parseCrop } from '../../spoolers/pdf/crop.ts'
import { inspectDocument } from '../../spoolers/pdf/inspect.ts'
import { makeDataDir } from '../start-agent.ts'

const POINTS_PER_TENTH = 72 / 254

/** @returns the inspection, and the pages that the spooler gets. */
async function crop(document: Buffer, box: Crop) {
  const file = join(makeDataDir(), 'document')
  const repaired = `${file}.repaired`
  writeFileSync(file, document)
  const inspection = await inspectDocument(file, repaired, box)
  return { ...inspection, pages: await drawPages(inspection.isRepaired ? repaired : file) }
}

/**
 * Its mark is 100 points right of and 200 below the upper left corner of the page as it is shown, and 30 x 20 points
 * large.
 */
const ROTATED: [title: string, page: TestPage][] = [
  ['a page', { width: 400, height: 600, content: '0 g 100 380 30 20 re f' }],
  ['a page that is rotated by 90 degrees', { width: 600, height: 400, rotate: 90, content: '0 g 200 100 20 30 re f' }],
  [
    'a page that is rotated by 180 degrees',
    { width: 400, height: 600, rotate: 180, content: '0 g 270 200 30 20 re f' },
  ],
  [
    'a page that is rotated by 270 degrees',
    { width: 600, height: 400, rotate: 270, content: '0 g 380 270 20 30 re f' },
  ],
  [
    'a page with a crop box and a rotation',
    { width: 700, height: 500, rotate: 90, crop: [50, 60, 650, 460], content: '0 g 250 160 20 30 re f' },
  ],
  ['a page with a unit', { width: 200, height: 300, userUnit: 2, content: '0 g 50 190 15 10 re f' }],
]

/** 90, 180, 60 and 50 points. */
const BOX = { x: 317.5, y: 635, width: 211.666, height: 176.388 }

test.each(ROTATED)('a box is counted from the upper left corner of %s', async (_, page) => {
  proves('option.crop.box')
  const { pages, info } = await crop(makePages([page]), BOX)
  const [shown] = pages
  expect([shown?.width, shown?.height].map((side) => Math.round(side ?? 0))).toEqual([60, 50])
  const edges = [10, 20, 40, 40].map((edge) => expect.closeTo(edge, -0.4))
  expect(shown?.ink).toEqual(edges)
  expect(info.sizes).toEqual([{ width: expect.closeTo(60, 0), height: expect.closeTo(50, 0) }])
})

test.each(ROTATED)('`auto` finds the ink of %s and adds 3 mm', async (_, page) => {
  proves('option.crop.auto')
  const { pages } = await crop(makePages([page]), 'auto')
  const margin = 30 * POINTS_PER_TENTH
  const [shown] = pages
  expect([shown?.width, shown?.height]).toEqual([30, 20].map((side) => expect.closeTo(side + 2 * margin, -0.5)))
  expect(shown?.ink).toEqual([margin, margin, margin + 30, margin + 20].map((edge) => expect.closeTo(edge, -0.5)))
})

test('`auto` has a box of its own for each page, keeps an empty page, and ends at the edge of the page', async () => {
  proves('option.crop.auto')
  const contents = ['0 g 0 0 50 40 re f', '', '0.5 g 100 100 100 1 re f', '0.98 g 0 0 400 600 re f']
  const { pages } = await crop(makePages(contents.map((content) => ({ width: 400, height: 600, content }))), 'auto')
  const sizes = pages.map(({ width, height }) => [Math.round(width), Math.round(height)])
  const margin = 30 * POINTS_PER_TENTH
  expect(sizes[0]?.map((side, at) => Math.abs(side - (at === 0 ? 50 : 40) - margin) < 2)).toEqual([true, true])
  expect([sizes[1], sizes[3]]).toEqual([
    [400, 600],
    [400, 600],
  ])
  expect(sizes[2]?.map((side, at) => Math.abs(side - (at === 0 ? 100 : 1) - 2 * margin) < 2)).toEqual([true, true])
})

test('what is beside the box is cut off, also of annotations and of content that pages share', async () => {
  proves('option.crop.box')
  const shared = await crop(ODD_PDFS['pages that share an array of content'] as Buffer, 'auto')
  expect(shared.pages.map(({ amount }) => Math.round(amount / 1_000))).toEqual([6, 64])
  // The lower half of the annotation is in the box.
  const box = { x: 0, y: 1000, width: 2100, height: 1000 }
  const annotated = await crop(ODD_PDFS['an annotation that is printed'] as Buffer, box)
  expect(annotated.isRepaired).toBe(true)
  expect(annotated.pages[0]?.ink?.[3]).toBeLessThanOrEqual(1000 * POINTS_PER_TENTH)
  // The page is found twice and cropped once.
  const twice = await crop(ODD_PDFS['a page that is used twice'] as Buffer, { x: 100, y: 100, width: 500, height: 500 })
  const size = { width: expect.closeTo(500 * POINTS_PER_TENTH, 0), height: expect.closeTo(500 * POINTS_PER_TENTH, 0) }
  expect(twice.pages).toMatchObject([size, size])
})

test('a box outside of a page leaves the page as it is and is named; a larger box ends at the edges', async () => {
  proves('option.crop.outside')
  const small = { width: 100, height: 100, content: '0 g 10 10 20 20 re f' }
  const document = makePages([{ ...small, width: 600 }, small, small])
  const { pages, cropIgnored } = await crop(document, { x: 500, y: 0, width: 999_999, height: 999_999 })
  expect(pages.map(({ width }) => Math.round(width))).toEqual([Math.round(600 - 500 * POINTS_PER_TENTH), 100, 100])
  expect(cropIgnored).toBe('the box is outside of page 2 and others')
  const tiny = await crop(document, { x: 0, y: 0, width: 9, height: 9 })
  expect(tiny).toMatchObject({ isRepaired: false, cropIgnored: 'the box is outside of page 1 and others' })
})

test('values that no service sends are no box', () => {
  expect(parseCrop('0,10,1050,1480')).toEqual({ x: 0, y: 10, width: 1050, height: 1480 })
  for (const value of [
    '-1,0,5,5',
    'NaN,0,5,5',
    '0,0,0,5',
    '0,0,1e9,5',
    '0,0,5',
    '1,2,3,4,5',
    '0,0,9999999,1',
    '',
    7,
    true,
  ])
    expect(parseCrop(value), String(value)).toBeUndefined()
  for (const value of [null, {}, [0, 0, -5, 5], [0, 0, Number.NaN, 5]]) expect(parseCrop(value)).toBeUndefined()
})

test('600 pages are searched', { timeout: 60_000 }, async () => {
  const content = '0 g 60 402 80 80 re f 0.5 g 80 300 100 0.3 re f'
  const document = makePages(Array.from({ length: 600 }, () => ({ width: 595, height: 842, content })))
  const { cropIgnored, pages, info } = await crop(document, 'auto')
  expect(cropIgnored).toBeUndefined()
  expect(info).toMatchObject({ pages: 600, sizes: [{ width: expect.closeTo(137, -0.5) }] })
  expect(pages).toHaveLength(12)
})
