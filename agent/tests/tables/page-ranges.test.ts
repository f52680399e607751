import { expect, test } from 'vitest'
import { parsePageRanges } from '../../spoolers/page-ranges.ts'

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
