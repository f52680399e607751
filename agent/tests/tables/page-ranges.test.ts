import { expect, test } from 'vitest'
import { parsePageRanges, selectPageRanges } from '../../spoolers/page-ranges.ts'

test.each([
  ['2', '2-2'],
  ['2-4', '2-4'],
  ['3-', '3-2147483647'],
  ['-3', '1-3'],
  ['1,3,5-6', '1-1 3-3 5-6'],
  ['7,1-2', '1-2 7-7'],
  ['1-4,2-3', '1-4'],
  ['1-2,3-4', '1-4'],
  ['2,2,2', '2-2'],
  ['-', ''],
  ['1-', ''],
  ['3,-', ''],
])('the pages %s are converted to the ranges %s, which are ascending and do not touch', (pages, ranges) => {
  const text = parsePageRanges(pages).map(({ lower, upper }) => `${lower}-${upper}`)
  expect(text.join(' ')).toBe(ranges)
})

test.each([
  ['2-9', 3, '2-3', '4-9'],
  ['1,3,5,8-9', 4, '1-1 3-3', '5,8-9'],
  ['-4', 3, '1-3', '4'],
  ['2-', 3, '2-3', ''],
  ['2,7-', 3, '2-2', ''],
  ['1-3', 3, '1-3', ''],
  ['-', 3, '', ''],
])(
  'of the pages %s of a document of %i pages, %s are printed and a warning names %s',
  (pages, count, inside, outside) => {
    const { ranges, warnings } = selectPageRanges(pages, count)
    expect(ranges.map(({ lower, upper }) => `${lower}-${upper}`).join(' ')).toBe(inside)
    const warning = `The computer ignored the option pages \`${outside}\`: the document has ${count} pages.`
    expect(warnings).toEqual(outside === '' ? [] : [warning])
  },
)

test.each([
  ['7', 3, '3 pages'],
  ['2-', 1, '1 page'],
])('the pages %s of a document of %i pages are refused with the number of its pages', (pages, count, has) => {
  expect(() => selectPageRanges(pages, count)).toThrow(`selects ${pages}, but the document has ${has}. Nothing was`)
})
