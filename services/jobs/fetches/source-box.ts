/**
 * Encrypts URL and credentials of a fetch, so that the database, its log and its dumps do not contain them. URLs often contain tokens.
 * Reference: docs/reference/fetches.md#url-and-credentials.
 */
import { createHmac } from 'node:crypto'
import { createSecretBox } from '@platen/runtime/secret-box.ts'

export interface FetchSource {
  url: string
  credentials?: { user: string; password: string }
}

export interface EncryptedSource {
  encrypted: Buffer
  /** The same for all URLs of one host. Cannot be computed without the key. */
  hostDigest: Buffer
}

export interface SourceBox {
  /** @param jobId is needed to decrypt the source. */
  encrypt(jobId: string, source: FetchSource): EncryptedSource
  /** @throws Error if the key or the job differs from that of the encryption. */
  decrypt(jobId: string, encrypted: Buffer): FetchSource
}

/** @param key 32 bytes. */
export function createSourceBox(key: Buffer): SourceBox {
  const { encrypt, decrypt } = createSecretBox(key)
  return {
    encrypt: (jobId, source) => ({
      encrypted: encrypt(jobId, JSON.stringify(source)),
      hostDigest: createHmac('sha256', key)
        .update(`host ${new URL(source.url).hostname}`)
        .digest(),
    }),
    decrypt: (jobId, encrypted) => JSON.parse(decrypt(jobId, encrypted)),
  }
}
