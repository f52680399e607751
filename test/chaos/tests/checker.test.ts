import { expect, test } from 'vitest'
import { checkHistory } from '../checker/check-history.ts'
import { ALLOWED, BROKEN } from './broken-histories.ts'
import { BROKEN_WEBHOOKS, WEBHOOKS_ALLOWED } from './broken-webhooks.ts'
import { goodHistory } from './histories.ts'
import { tellWebhooks } from './webhook-histories.ts'

test('jobs that are done, expired, given back, unconfirmed and unanswered, over a wiped NATS, are accepted', () => {
  const history = goodHistory()
  expect(checkHistory(tellWebhooks(history))).toEqual([])
  expect(history.receivedWebhooks.length).toBeGreaterThan(history.database.feed.length)
})

test.each(BROKEN)('%s: %s', (invariant, _rule, change) => {
  const history = goodHistory()
  change(history)
  const violations = checkHistory(tellWebhooks(history))
  expect(violations).toContainEqual(expect.objectContaining({ invariant }))
  expect(violations.filter((violation) => violation.invariant !== invariant)).toEqual([])
})

test.each(ALLOWED)('%s', (_rule, change) => {
  const history = goodHistory()
  change(history)
  expect(checkHistory(tellWebhooks(history))).toEqual([])
})

test.each(BROKEN_WEBHOOKS)('%s: %s', (invariant, _rule, change) => {
  const history = tellWebhooks(goodHistory())
  change(history)
  const violations = checkHistory(history)
  expect(violations).toContainEqual(expect.objectContaining({ invariant }))
  expect(violations.filter((violation) => violation.invariant !== invariant)).toEqual([])
})

test.each(WEBHOOKS_ALLOWED)('%s', (_rule, change) => {
  const history = tellWebhooks(goodHistory())
  change(history)
  expect(checkHistory(history)).toEqual([])
})
