import { expect, test } from 'vitest'
import { checkHistory } from '../checker/check-history.ts'
import { ALLOWED, BROKEN } from './broken-histories.ts'
import { goodHistory } from './histories.ts'

test('jobs that are done, expired, given back, unconfirmed and unanswered, over a wiped NATS, are accepted', () => {
  expect(checkHistory(goodHistory())).toEqual([])
})

test.each(BROKEN)('%s: %s', (invariant, _rule, change) => {
  const history = goodHistory()
  change(history)
  const violations = checkHistory(history)
  expect(violations).toContainEqual(expect.objectContaining({ invariant }))
  expect(violations.filter((violation) => violation.invariant !== invariant)).toEqual([])
})

test.each(ALLOWED)('%s', (_rule, change) => {
  const history = goodHistory()
  change(history)
  expect(checkHistory(history)).toEqual([])
})
