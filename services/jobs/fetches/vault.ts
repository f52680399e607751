/**
 * Encrypts URL and credentials of a fetch, so that the database, its log and its dumps do not contain them. URLs often contain tokens.
 * Reference: docs/reference/fetches.md#url-and-credentials.
 */
import { createHmac } from 'node:crypto'
import { createSeal } from '@platen/runtime/seal.ts'

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
  const { seal, open } = createSeal(key)
  return {
    seal: (jobId, source) => ({
      sealed: seal(jobId, JSON.stringify(source)),
      hostDigest: createHmac('sha256', key)
        .update(`host ${new URL(source.url).hostname}`)
        .digest(),
    }),
    open: (jobId, sealed) => JSON.parse(open(jobId, sealed)),
  }
}
