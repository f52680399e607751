/** Encrypts short secrets that are stored in a database: AES-256-GCM with a new nonce for each text. */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Keyring } from './keyring.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CONTENT_AT = NONCE_BYTES + TAG_BYTES

export interface SecretBox {
  /** With the first key. @param owner id of the resource that the text belongs to. Decryption requires the same id. */
  encrypt(owner: string, text: string): Buffer
  /** @throws Error if the owner differs or no key of the keyring fits. */
  decrypt(owner: string, encrypted: Buffer): string
  /** Whether the first key decrypts it. */
  isCurrent(owner: string, encrypted: Buffer): boolean
}

/** @param keyring keys of 32 bytes. Decryption tries one after the other. */
export function createSecretBox(keyring: Keyring): SecretBox {
  // A cipher of a Buffer takes five times as long.
  const keys = keyring.map((key) => createSecretKey(key))
  const [first] = keys as [KeyObject, ...KeyObject[]]
  return {
    encrypt(owner, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, first, nonce).setAAD(Buffer.from(owner))
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), content])
    },
    decrypt(owner, encrypted) {
      for (const key of keys) {
        const text = tryKey(key, owner, encrypted)
        if (text !== undefined) return text
      }
      throw new Error('encrypted with an unknown key, for another owner, or changed')
    },
    isCurrent: (owner, encrypted) => tryKey(first, owner, encrypted) !== undefined,
  }
}

/** @returns undefined if the key does not fit. */
function tryKey(key: KeyObject, owner: string, encrypted: Buffer): string | undefined {
  if (encrypted.length < CONTENT_AT) return undefined
  const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(encrypted.subarray(NONCE_BYTES, CONTENT_AT))
  const text = decipher.update(encrypted.subarray(CONTENT_AT))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
