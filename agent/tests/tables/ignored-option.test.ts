import { expect, test } from 'vitest'
import { ignoredOption, notOffered } from '../../spoolers/ignored-option.ts'
import { toSentence } from '../../spoolers/to-sentence.ts'

test.each([
  [[], 'this printer does not offer it'],
  [['Tray 1', 'Manual'], 'this printer offers `Tray 1`, `Manual`'],
  [[1, 2, 3, 4, 5], 'this printer offers 1, 2, 3, 4, 5'],
  [[1, 2, 3, 4, 5, 6], 'this printer offers 1, 2, 3, 4, 5 and 1 more'],
])('the reason for %j offered values is: %s', (offered, reason) => {
  expect(notOffered(offered)).toBe(reason)
})

test('a warning shows at most 64 characters of each value', () => {
  const [shown, long] = ['x'.repeat(64), 'x'.repeat(65)]
  const warning = `The computer ignored the option bin \`${shown}\`: this printer offers \`${shown}\`.`
  expect(ignoredOption('bin', long, notOffered([long]))).toBe(warning)
  expect(ignoredOption('bin', shown, notOffered([shown]))).toBe(warning)
})

test.each([
  ['', ''],
  ['Out of paper', 'Out of paper.'],
  ['Out of paper.', 'Out of paper.'],
  ['Out of paper? ', 'Out of paper?'],
  ['Error (3)', 'Error (3).'],
])('the text %j is completed to the sentence %j', (text, sentence) => {
  expect(toSentence(text)).toBe(sentence)
})
