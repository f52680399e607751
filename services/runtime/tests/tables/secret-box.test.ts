import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from '../../secret-box.ts'

const { encrypt, decrypt } = createSecretBox(randomBytes(32))
const TEXT = 'whsec_ä'

test('an encrypted text is decrypted with the same key for the same owner, and does not contain the text', () => {
  const sealed = encrypt('owner', TEXT)
  expect(sealed.length).toBe(12 + 16 + Buffer.byteLength(TEXT))
  expect(sealed.includes('whsec')).toBe(false)
  expect(decrypt('owner', sealed)).toBe(TEXT)
  expect(encrypt('owner', TEXT).equals(sealed)).toBe(false)
})

test('decryption fails for another owner, another key, and a changed or missing byte', () => {
  const sealed = encrypt('owner', TEXT)
  expect(() => decrypt('other', sealed)).toThrow()
  expect(() => createSecretBox(randomBytes(32)).decrypt('owner', sealed)).toThrow()
  for (const at of sealed.keys()) {
    expect(() => decrypt('owner', sealed.subarray(0, at))).toThrow()
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => decrypt('owner', changed)).toThrow()
  }
})
