import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from '../../secret-box.ts'

const { encrypt, decrypt } = createSecretBox([randomBytes(32)])
const TEXT = 'whsec_ä'

test('an encrypted text is decrypted with the same key for the same owner, and does not contain the text', () => {
  const encrypted = encrypt('owner', TEXT)
  expect(encrypted.length).toBe(12 + 16 + Buffer.byteLength(TEXT))
  expect(encrypted.includes('whsec')).toBe(false)
  expect(decrypt('owner', encrypted)).toBe(TEXT)
  expect(encrypt('owner', TEXT).equals(encrypted)).toBe(false)
})

test('decryption fails for another owner, another key, and a changed or missing byte', () => {
  const encrypted = encrypt('owner', TEXT)
  expect(() => decrypt('other', encrypted)).toThrow()
  expect(() => createSecretBox([randomBytes(32)]).decrypt('owner', encrypted)).toThrow()
  for (const at of encrypted.keys()) {
    expect(() => decrypt('owner', encrypted.subarray(0, at))).toThrow()
    const changed = Buffer.from(encrypted)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => decrypt('owner', changed)).toThrow()
  }
})

test('the first key encrypts, and each key of the list decrypts', () => {
  const [newer, old] = [randomBytes(32), randomBytes(32)]
  const encrypted = createSecretBox([old]).encrypt('owner', TEXT)
  for (const keyring of [[old, newer] as const, [newer, old] as const]) {
    const box = createSecretBox(keyring)
    expect(box.decrypt('owner', encrypted)).toBe(TEXT)
    expect(createSecretBox([keyring[0]]).decrypt('owner', box.encrypt('owner', TEXT))).toBe(TEXT)
    expect(box.isCurrent('owner', encrypted)).toBe(keyring[0] === old)
  }
  expect(() => createSecretBox([newer]).decrypt('owner', encrypted)).toThrow('encrypted with an unknown key')
})
