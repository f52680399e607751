/**
 * Encrypts the source of a fetch with its URL and credentials, so that the database, its log and its dumps do not
 * contain them. URLs often contain tokens. Reference: docs/reference/fetches.md#url-and-credentials.
 */
import { createHmac } from 'node:crypto'
import type { Keyring } from '@platen/runtime/keyring.ts'
import { createSecretBox } from '@platen/runtime/secret-box.ts'
import type { Sheets } from '../images/lay-out-image.ts'

export type FetchSource = (
  | { url: string; credentials?: { user: string; password: string } }
  /** Key of an uploaded image in the file store. */
  | { storageKey: string }
) & {
  /** The papers of an image. */
  sheets?: Sheets
}

export interface EncryptedSource {
  encrypted: Buffer
  /**
   * The same for all URLs of one host and one key, another one for each uploaded image. Cannot be computed without the
   * key.
   */
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
        .update('url' in source ? `host ${new URL(source.url).hostname}` : `image ${source.storageKey}`)
        .digest(),
    }),
    decrypt: (jobId, encrypted) => JSON.parse(decrypt(jobId, encrypted)),
  }
}
