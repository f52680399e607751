import { expect, test } from 'vitest'
import { apiKeyPrefix, isWellFormedApiKey, makeApiKey } from '../api-key.ts'

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
