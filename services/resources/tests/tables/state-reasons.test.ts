import { readFileSync } from 'node:fs'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { END_REASONS, STATE_REASONS } from '../../state-reasons.ts'

const PAGE = readFileSync(new URL('../../../../docs/reference/state-reasons.md', import.meta.url), 'utf8')

/** The rows of the first table of the section about print jobs. */
const ROWS = (PAGE.split('## Print jobs')[1]?.split('## ')[0] ?? '')
  .split('\n')
  .filter((line) => /^\| (`|any)/.test(line))

const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ')

test('the page of state reasons has every entry of the table, in its words', () => {
  proves('state-reasons.catalogue')
  const expected = STATE_REASONS.map(({ keywords, isFamily, states, meaning, todo }) => {
    const state = states.length === 0 ? 'any' : code(states)
    return `| ${code(keywords)}${isFamily ? ', …' : ''} | ${state} | ${meaning} | ${todo} |`
  })
  expect(ROWS).toEqual(expected)
})

test('every reason of `error` says whether there can be paper, and its meaning agrees', () => {
  for (const { keywords, states, paper, meaning } of STATE_REASONS.filter(({ isFamily }) => !isFamily)) {
    expect(paper !== undefined, `${keywords}`).toBe(states.includes('error'))
    if (paper) expect(meaning.includes('Nothing was printed'), `${keywords}`).toBe(paper !== 'maybe')
  }
  expect(END_REASONS).toContain('unconfirmed')
})
