/**
 * Looks API keys up in the accounts service, and caches the results: an integrator's requests come in bursts, and a look-up for each
 * would double the work of reading.
 *
 * A flood of wrong keys must cost little and deny nobody. A typo has the wrong checksum and is refused here. Whoever forges
 * checksums costs his place in a batch: however many keys are asked for, accounts gets at most 50 calls a second, each of which is
 * one statement. Forged keys are cached apart, so that they push no valid key out of the cache.
 */
import type { Client } from '@connectrpc/connect'
import type { AccountsService, ApiKey, Organization } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { hashApiKey, isWellFormedApiKey } from '@platen/resources/api-key.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import { createCache, createExpiringMap } from '@platen/runtime/cache.ts'

/** A revoked key stops working within this time (docs/reference/authentication.md#auth.revoked). Starts before the look-up. */
const TTL_MS = 5_000
/** About 10 MB. */
const VALID_KEYS_MAX = 10_000
/** About 2 MB. Of longer floods the oldest are looked up anew. */
const UNKNOWN_KEYS_MAX = 10_000

/** The longest wait of a look-up for its batch. In a quiet time it starts at once. */
const LOOK_UP_REST_MS = 20
/** What accounts takes at once. With the rest above, 25,000 keys a second, which is more than a gateway can be asked for. */
const LOOK_UP_MAX = 500

/** Who makes a request. */
export interface Caller {
  organization: Organization
  apiKey: ApiKey
}

export interface ApiKeys {
  /**
   * @param text whatever was sent as a key.
   * @returns undefined for a key that does not exist or was revoked.
   * @throws ApiError `service_unavailable` when that cannot be known now.
   */
  find(text: string): Promise<Caller | undefined>
}

export interface ApiKeysOptions {
  accounts: Pick<Client<typeof AccountsService>, 'verifyApiKeys'>
  olderKeyPrefixes: readonly string[]
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

export function createApiKeys({ accounts, olderKeyPrefixes, now }: ApiKeysOptions): ApiKeys {
  const valid = createCache<Caller>({ ttlMs: TTL_MS, max: VALID_KEYS_MAX, now })
  /** By hash. */
  const unknown = createExpiringMap<true>({ ttlMs: TTL_MS, max: UNKNOWN_KEYS_MAX, now })
  const lookUp = createBatches<string, Caller | 'unknown'>({
    everyMs: LOOK_UP_REST_MS,
    maxItems: LOOK_UP_MAX,
    getKey: (hash) => hash,
    async run(hashes) {
      const { verified } = await accounts.verifyApiKeys({
        keySha256: hashes.map((hash) => Buffer.from(hash, 'base64')),
      })
      const answers = new Map<string, Caller | 'unknown'>(hashes.map((hash) => [hash, 'unknown']))
      for (const { keySha256, organization, apiKey } of verified) {
        if (!organization || !apiKey) throw new Error('accounts verified a key without saying whose it is')
        answers.set(Buffer.from(keySha256).toString('base64'), { organization, apiKey })
      }
      return answers
    },
  })

  async function lookUpKnown(hash: string): Promise<Caller> {
    const answer = await lookUp(hash)
    if (answer === 'unknown') throw new UnknownKey()
    return answer
  }

  return {
    async find(text) {
      if (!isWellFormedApiKey(text, olderKeyPrefixes)) return undefined
      const hash = Buffer.from(hashApiKey(text)).toString('base64')
      if (unknown.get(hash)) return undefined
      try {
        return await valid.get(hash, () => lookUpKnown(hash))
      } catch (error) {
        if (!(error instanceof UnknownKey)) throw error
        unknown.set(hash, true)
        return undefined
      }
    },
  }
}

/** A look-up that must not be cached among the valid keys. */
class UnknownKey extends Error {}
