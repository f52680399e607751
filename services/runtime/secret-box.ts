/** Encrypts short secrets that are stored in a database: AES-256-GCM with a new nonce for each text, after the id of the key. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { KEY_ID_BYTES, type Keyring, toKeyId } from './keyring.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const TAG_AT = KEY_ID_BYTES + NONCE_BYTES
const CONTENT_AT = TAG_AT + TAG_BYTES

export interface SecretBox {
  /** What `encrypt` returns begins with it, until another key is the first one. */
  keyId: Buffer
  /** @param owner id of the resource that the text belongs to. Decryption requires the same id. */
  encrypt(owner: string, text: string): Buffer
  /** @throws Error if the owner differs or the key is not in the keyring. */
  decrypt(owner: string, encrypted: Buffer): string
}

/** @param keyring keys of 32 bytes. */
export function createSecretBox(keyring: Keyring): SecretBox {
  const [key] = keyring
  const keyId = toKeyId(key)
  const keys = new Map(keyring.map((known) => [toKeyId(known).toString('hex'), known]))
  return {
    keyId,
    encrypt(owner, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(owner))
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([keyId, nonce, cipher.getAuthTag(), content])
    },
    decrypt(owner, encrypted) {
      const usedKey = keys.get(encrypted.toString('hex', 0, KEY_ID_BYTES))
      if (!usedKey) throw new Error('encrypted with an unknown key')
      const decipher = createDecipheriv(ALGORITHM, usedKey, encrypted.subarray(KEY_ID_BYTES, TAG_AT), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(encrypted.subarray(TAG_AT, CONTENT_AT))
      return Buffer.concat([decipher.update(encrypted.subarray(CONTENT_AT)), decipher.final()]).toString('utf8')
    },
  }
}
