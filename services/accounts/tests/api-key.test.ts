import { expect, test } from 'vitest'
import { apiKeyLastFour, apiKeyPrefix, isWellFormedApiKey, makeApiKey } from '../api-key.ts'

test.each(['live', 'test'] as const)('a %s key names its mode and has 43 + 6 base62 characters', (mode) => {
  expect(makeApiKey(mode)).toMatch(new RegExp(`^platen_${mode}_[0-9A-Za-z]{49}$`))
})

test('a key that was made is well formed', () => {
  for (let n = 0; n < 200; n++) expect(isWellFormedApiKey(makeApiKey('test'))).toBe(true)
})

test('any single wrong character is noticed without a look-up', () => {
  const key = makeApiKey('live')
  for (let at = 'platen_live_'.length; at < key.length; at++) {
    const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
    expect(isWellFormedApiKey(typo), `at ${at}`).toBe(false)
  }
})

test.each([
  '',
  'platen_live_',
  'platen_test_abc',
  `${makeApiKey('test')}0`,
  makeApiKey('test').replace('test', 'live'),
])('%j is not a key', (text) => {
  expect(isWellFormedApiKey(text)).toBe(false)
})

test('the prefix shows four characters of the secret and no more', () => {
  const key = makeApiKey('test')
  expect(apiKeyPrefix(key)).toBe(key.slice(0, 16))
})

test('a key with an older prefix is well formed where that prefix is known, and nowhere else', () => {
  const key = makeApiKey('live', 'old-press')
  expect(key).toMatch(/^old-press_live_[0-9A-Za-z]{49}$/)
  expect(isWellFormedApiKey(key)).toBe(false)
  expect(isWellFormedApiKey(key, ['older', 'old-press'])).toBe(true)
  expect(isWellFormedApiKey(makeApiKey('live'), ['old-press'])).toBe(true)
})

test('an older prefix cannot be exchanged for another one', () => {
  const key = makeApiKey('test', 'older')
  for (const other of ['platen', 'oldest']) {
    expect(isWellFormedApiKey(key.replace('older', other), ['older', 'oldest']), other).toBe(false)
  }
})

test('a typo in a key with an older prefix is noticed without a look-up', () => {
  const key = makeApiKey('test', 'older')
  for (const typo of [`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, `${key}0`, key.slice(1), 'older_test_'])
    expect(isWellFormedApiKey(typo, ['older']), typo).toBe(false)
})

test('what is shown of a key with an older prefix is its start and its last four characters', () => {
  const key = makeApiKey('test', 'older')
  expect([apiKeyPrefix(key), apiKeyLastFour(key)]).toEqual([key.slice(0, 'older_test_'.length + 4), key.slice(-4)])
})
