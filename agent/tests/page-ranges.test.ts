import { expect, test } from 'vitest'
import { pageRanges } from '../spoolers/page-ranges.ts'

const LAST = 2 ** 31 - 1

test.each<[string, [number, number][]]>([
  ['2', [[2, 2]]],
  ['2-4', [[2, 4]]],
  ['3-', [[3, LAST]]],
  ['-3', [[1, 3]]],
  [
    '1,3,5-6',
    [
      [1, 1],
      [3, 3],
      [5, 6],
    ],
  ],
  [
    '7,1-2',
    [
      [1, 2],
      [7, 7],
    ],
  ],
  ['1-4,2-3', [[1, 4]]],
  ['1-2,3-4', [[1, 4]]],
  ['2,2,2', [[2, 2]]],
  ['-', []],
  ['1-', []],
  ['3,-', []],
])('the pages %s become ranges that ascend and do not touch', (pages, ranges) => {
  expect(pageRanges(pages)).toEqual(ranges.map(([lower, upper]) => ({ lower, upper })))
})
