/**
 * Encrypts URL and credentials of a fetch, so that the database, its log and its dumps do not contain them. URLs often contain tokens.
 * Reference: docs/reference/fetches.md#url-and-credentials.
 */
import { createHmac } from 'node:crypto'
import type { Keyring } from '@platen/runtime/keyring.ts'
import { createSecretBox } from '@platen/runtime/secret-box.ts'

export interface FetchSource {
  url: string
  credentials?: { user: string; password: string }
}

export interface EncryptedSource {
  encrypted: Buffer
  /** The same for all URLs of one host and one key. Cannot be computed without the key. */
  hostDigest: Buffer
}

export interface SourceBox {
  /** @param jobId is needed to decrypt the source. */
  encrypt(jobId: string, source: FetchSource): EncryptedSource
  /** @throws Error if the job differs from that of the encryption or its key is not in the keyring. */
  decrypt(jobId: string, encrypted: Buffer): FetchSource
}

/** @param keyring keys of 32 bytes. */
export function createSourceBox(keyring: Keyring): SourceBox {
  const [key] = keyring
  const { encrypt, decrypt } = createSecretBox(keyring)
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
