import { expect, test } from 'vitest'
import { toSheets } from '../../print-jobs/options/to-sheets.ts'

const printer = {
  defaultOptions: {},
  os: 'linux',
  customPapers: [{ name: 'Label', width: 1016, height: 1524 }],
  capabilities: {
    papers: [
      { name: '4x6', size: { width: 1016, height: 1524 } },
      { name: 'Roll', size: { width: 800 } },
      { name: 'A4', size: { width: 2100, height: 2970 } },
      { name: 'Unknown' },
    ],
    dpis: ['203x203', '300x600', '600x600'],
    ...{ bins: [], medias: [], nup: [], duplex: false, color: false, collate: false, copies: 1 },
  },
}
const [label, roll, a4] = [
  { width: 1016, height: 1524 },
  { width: 800, height: undefined },
  { width: 2100, height: 2970 },
]

test.each([
  ['all papers, A4 first', {}, { papers: [a4, label, roll, label], dpis: [203, 600] }],
  ['the paper of the job', { paper: 'Roll' }, { papers: [roll], dpis: [203, 600] }],
  [
    'the custom paper of the job',
    { paper: { name: 'Label', width: 1016, height: 1524 } },
    { papers: [label], dpis: [203, 600] },
  ],
  ['a paper without a size', { paper: 'Unknown' }, { papers: [], dpis: [203, 600] }],
  ['the resolution of the job', { dpi: '600x600' }, { papers: [a4, label, roll, label], dpis: [600] }],
])('the sheets of an image are %s', (_, options, expected) => {
  expect(toSheets(options, printer as never)).toEqual(expected)
})
