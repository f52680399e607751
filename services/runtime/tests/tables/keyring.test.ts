import { describe, expect, test } from 'vitest'
import { key32Keyring, matchesAny, secret, secretKeyring } from '../../keyring.ts'

const SECRET = '0123456789abcdef'.repeat(2)
const KEY = 'A'.repeat(43)
const OTHER = `${'B'.repeat(42)}A`

test.each([
  ['one secret', SECRET, [SECRET]],
  ['a new and an old secret', `${SECRET}, ${OTHER}`, [SECRET, OTHER]],
])('%s is read in its order', (_, text, secrets) => {
  expect(secretKeyring.parse(text).map(String)).toEqual(secrets)
})

test('keys of 32 bytes are read in their order', () => {
  const keyring = key32Keyring.parse(`${KEY},${OTHER}`)
  expect(keyring.map((key) => key.toString('base64url'))).toEqual([KEY, OTHER])
  expect(keyring.map((key) => key.length)).toEqual([32, 32])
})

test.each([SECRET.slice(1), '', ',', `${SECRET},`, `${SECRET},short`])(
  'a list with a secret of less than 32 characters is refused with the command that creates one: %j',
  (text) => expect(() => secretKeyring.parse(text)).toThrow(/must be at least 32 characters.*openssl rand/),
)

test('a single secret has at least 32 characters that a header can hold', () => {
  expect(secret.parse(SECRET)).toBe(SECRET)
  for (const text of [SECRET.slice(1), `${SECRET} `, `${SECRET}é`])
    expect(() => secret.parse(text)).toThrow(/must be at least 32 characters.*openssl rand/)
})

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
