import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSeal } from '../../seal.ts'

const { seal, open } = createSeal(randomBytes(32))
const TEXT = 'whsec_ä'

test('an encrypted text is decrypted with the same key for the same owner, and does not contain the text', () => {
  const sealed = seal('owner', TEXT)
  expect(sealed.length).toBe(12 + 16 + Buffer.byteLength(TEXT))
  expect(sealed.includes('whsec')).toBe(false)
  expect(open('owner', sealed)).toBe(TEXT)
  expect(seal('owner', TEXT).equals(sealed)).toBe(false)
})

test('decryption fails for another owner, another key, and a changed or missing byte', () => {
  const sealed = seal('owner', TEXT)
  expect(() => open('other', sealed)).toThrow()
  expect(() => createSeal(randomBytes(32)).open('owner', sealed)).toThrow()
  for (const at of sealed.keys()) {
    expect(() => open('owner', sealed.subarray(0, at))).toThrow()
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => open('owner', changed)).toThrow()
  }
})
