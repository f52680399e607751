import { expect, test } from 'vitest'
import { apiKeyLastFour, apiKeyPrefix, isWellFormedApiKey, makeApiKey } from '../../api-key.ts'

test.each([
  ['live', 'live'],
  ['test', 'test'],
] as const)('a %s key names its mode and has 43 + 6 base62 characters [auth.key.form.%s]', (mode, _) => {
  for (let n = 0; n < 100; n++) {
    const key = makeApiKey(mode)
    expect(key).toMatch(new RegExp(`^platen_${mode}_[0-9A-Za-z]{49}$`))
    expect(isWellFormedApiKey(key)).toBe(true)
  }
})

test.each(['platen', 'older'])(
  'the checksum of a key `%s_live_…` detects any wrong character [auth.key.checksum]',
  (prefix) => {
    const key = makeApiKey('live', prefix)
    const isWellFormed = (text: string) => isWellFormedApiKey(text, ['older'])
    expect(isWellFormed(key)).toBe(true)
    for (let at = `${prefix}_live_`.length; at < key.length; at++)
      expect(isWellFormed(key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)), `at ${at}`).toBe(false)
    const wrong = [
      `${key}0`,
      key.slice(0, -1),
      key.slice(1),
      key.replace('live', 'test'),
      `${prefix}_live_`,
      `${prefix}_live_abc`,
      '',
    ]
    expect(wrong.filter(isWellFormed)).toEqual([])
  },
)

test('a key with an older prefix is well formed only where that prefix is configured', () => {
  const key = makeApiKey('live', 'old-press')
  expect(key).toMatch(/^old-press_live_[0-9A-Za-z]{49}$/)
  expect(isWellFormedApiKey(key)).toBe(false)
  expect(isWellFormedApiKey(key, ['older', 'old-press'])).toBe(true)
  expect(isWellFormedApiKey(makeApiKey('live'), ['old-press'])).toBe(true)
})

test('a prefix cannot be replaced by another one', () => {
  const key = makeApiKey('test', 'older')
  for (const other of ['platen', 'oldest'])
    expect(isWellFormedApiKey(key.replace('older', other), ['older', 'oldest']), other).toBe(false)
})

test.each(['platen', 'older'])('the start and the last four characters of a key `%s_test_…` are shown', (prefix) => {
  const key = makeApiKey('test', prefix)
  expect([apiKeyPrefix(key), apiKeyLastFour(key)]).toEqual([key.slice(0, `${prefix}_test_`.length + 4), key.slice(-4)])
})
