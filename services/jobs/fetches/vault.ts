/**
 * Seals what a fetch needs to know, so that neither the database nor its log or dump can be read for URLs, which often hold tokens, and
 * credentials. Source: specification, "Content rules", 3.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface FetchSource {
  url: string
  credentials?: { user: string; password: string }
}

export interface SealedSource {
  sealed: Buffer
  /** The same for all URLs of one host, and of use to nobody without the key. */
  hostDigest: Buffer
}

export interface Vault {
  /** @param jobId that alone the source can be opened for. */
  seal(jobId: string, source: FetchSource): SealedSource
  /** @throws Error when it was sealed with another key or for another job. */
  open(jobId: string, sealed: Buffer): FetchSource
}

/** @param key 32 bytes. */
export function createVault(key: Buffer): Vault {
  return {
    seal(jobId, source) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(jobId))
      const text = Buffer.concat([cipher.update(JSON.stringify(source), 'utf8'), cipher.final()])
      return {
        sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]),
        hostDigest: createHmac('sha256', key)
          .update(`host ${new URL(source.url).hostname}`)
          .digest(),
      }
    },
    open(jobId, sealed) {
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(jobId))
        .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
      return JSON.parse(text.toString('utf8'))
    },
  }
}
