import { describe, expect, test } from 'vitest'
import { key32Keyring, matchesAny, secretKeyring } from '../../keyring.ts'

const KEY = 'A'.repeat(43)
const OTHER = `${'B'.repeat(42)}A`

test.each([
  ['one secret', '0123456789abcdef', ['0123456789abcdef']],
  ['a new and an old secret', '0123456789abcdef, fedcba9876543210', ['0123456789abcdef', 'fedcba9876543210']],
])('%s is read in its order', (_, text, secrets) => {
  expect(secretKeyring.parse(text).map(String)).toEqual(secrets)
})

test('keys of 32 bytes are read in their order', () => {
  const keyring = key32Keyring.parse(`${KEY},${OTHER}`)
  expect(keyring.map((key) => key.toString('base64url'))).toEqual([KEY, OTHER])
  expect(keyring.map((key) => key.length)).toEqual([32, 32])
})

test.each(['0123456789abcde', '', ',', '0123456789abcdef,', '0123456789abcdef,short'])(
  'a list with a secret of less than 16 characters is refused: %j',
  (text) => expect(() => secretKeyring.parse(text)).toThrow(/must be at least 16 characters, or several/),
)

test.each([`${KEY}A`, KEY.slice(1), `${KEY},`, `${KEY},${OTHER}=`, `${KEY.slice(1)}+`])(
  'a list with a key of another form is refused: %j',
  (text) => expect(() => key32Keyring.parse(text)).toThrow(/must be 32 bytes as base64url, or several/),
)

describe('a value of any key is accepted and an unknown one refused', () => {
  const values = ['new', 'old', 'oldest'].map((text) => Buffer.from(text.padEnd(32)))
  test.each([
    ['the first', 'new', true],
    ['the second', 'old', true],
    ['the last', 'oldest', true],
    ['no', 'unknown', false],
  ])('of %s key', (_, text, isAccepted) => {
    expect(matchesAny(values, Buffer.from(text.padEnd(32)))).toBe(isAccepted)
  })

  test('of another length', () => {
    for (const text of ['', 'new', 'new'.padEnd(33)]) expect(matchesAny(values, Buffer.from(text))).toBe(false)
  })
})
