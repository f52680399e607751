/** Encrypts short secrets that are stored in a database: AES-256-GCM with a new nonce for each text. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SecretBox {
  /** @param owner id of the resource that the text belongs to. Decryption requires the same id. */
  encrypt(owner: string, text: string): Buffer
  /** @throws Error if the key or the owner differs. */
  decrypt(owner: string, encrypted: Buffer): string
}

/** @param key 32 bytes. */
export function createSecretBox(key: Buffer): SecretBox {
  return {
    encrypt(owner, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(owner))
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), content])
    },
    decrypt(owner, encrypted) {
      const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      )
    },
  }
}
