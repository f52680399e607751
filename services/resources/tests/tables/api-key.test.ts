import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { isWellFormedApiKey, makeApiKey, toKeyPrefix, toLastFour } from '../../api-key.ts'

test.each([{ mode: 'live' }, { mode: 'test' }] as const)(
  'a $mode key names its mode and has 43 + 6 base62 characters',
  ({ mode }) => {
    proves(`auth.key.form.${mode}`)
    for (let n = 0; n < 100; n++) {
      const key = makeApiKey(mode)
      expect(key).toMatch(new RegExp(`^platen_${mode}_[0-9A-Za-z]{49}$`))
      expect(isWellFormedApiKey(key)).toBe(true)
    }
  },
)

test('the checksum of a key detects any wrong character, also with an older prefix', () => {
  proves('auth.key.checksum')
  for (const prefix of ['platen', 'older']) {
    const key = makeApiKey('live', prefix)
    const start = `${prefix}_live_`
    const isWellFormed = (text: string) => isWellFormedApiKey(text, ['older', 'oldest'])
    expect(isWellFormed(key)).toBe(true)
    for (let at = start.length; at < key.length; at++)
      expect(isWellFormed(key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)), `at ${at}`).toBe(false)
    const others = ['', start, `${start}abc`, key.replace('live', 'test'), key.replace(prefix, 'oldest')]
    expect([`${key}0`, key.slice(0, -1), key.slice(1), ...others].filter(isWellFormed)).toEqual([])
  }
})

test('a key with an older prefix is well formed only where that prefix is configured', () => {
  const key = makeApiKey('live', 'old-press')
  expect(key).toMatch(/^old-press_live_[0-9A-Za-z]{49}$/)
  expect(isWellFormedApiKey(key)).toBe(false)
  expect(isWellFormedApiKey(key, ['older', 'old-press'])).toBe(true)
})

test.each(['platen', 'older'])('the start and the last four characters of a key `%s_test_…` are shown', (prefix) => {
  const key = makeApiKey('test', prefix)
  expect([toKeyPrefix(key), toLastFour(key)]).toEqual([key.slice(0, `${prefix}_test_`.length + 4), key.slice(-4)])
})
