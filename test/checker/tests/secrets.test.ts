import { expect, test } from 'vitest'
import { createCanary, createSecret, holds } from '../secrets.ts'

const SECRET = createSecret('key', 'sk_test_1234567890')

test('a secret is found as text, in hex, and in base64 at each offset', () => {
  for (const before of ['', 'a', 'ab', 'abc'])
    for (const encoding of ['latin1', 'hex', 'base64'] as const) {
      const text = Buffer.from(`${before}sk_test_1234567890 and more`).toString(encoding)
      expect(holds(Buffer.from(text), SECRET), `${encoding} after "${before}"`).toBe(true)
    }
})

test('a text that is not the whole secret is not found', () => {
  expect(holds(Buffer.from('sk_test_123456789 and k_test_1234567890'), SECRET)).toBe(false)
})

test('another seed and another organization have another canary', () => {
  expect(new Set([createCanary('a', 1), createCanary('a', 2), createCanary('b', 1)]).size).toBe(3)
})
