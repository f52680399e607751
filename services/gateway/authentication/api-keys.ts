/**
 * Looks up API keys in the accounts service and caches the results. Requests of an integrator come in bursts, and a look-up for each
 * would double the work of a read.
 *
 * A flood of wrong keys must cost little and must not block valid keys. A key with a wrong checksum is refused here. Forged keys with a
 * correct checksum cost a part of a batch: accounts gets at most 50 calls a second, each of which is one statement. They have a cache
 * of their own, so that they evict no valid key.
 */
import type { Client } from '@connectrpc/connect'
import type { AccountsService, ApiKey, Organization } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { hashApiKey, isWellFormedApiKey } from '@platen/resources/api-key.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import { createCache, createExpiringMap } from '@platen/runtime/cache.ts'
import { ApiError } from '@platen/runtime/errors.ts'

/** A revoked key stops working within this time (docs/reference/authentication.md#auth.revoked). Starts before the look-up. */
const TTL_MS = 5_000
/** About 10 MB. */
const VALID_KEYS_MAX = 10_000
/** About 2 MB. In a longer flood the oldest are looked up again. */
const UNKNOWN_KEYS_MAX = 10_000

/** The longest wait of a look-up for its batch. Without other look-ups it starts at once. */
const LOOK_UP_INTERVAL_MS = 20
/** The largest batch of accounts. With this interval 25,000 keys a second, more than a gateway receives. */
const LOOK_UP_MAX = 500

/** The key of a request and its organization. */
export interface Caller {
  organization: Organization
  apiKey: ApiKey
}

export interface ApiKeys {
  /**
   * @param text of any form.
   * @throws ApiError `unauthorized` for a key that is malformed, does not exist or was revoked; `service_unavailable` if the look-up
   *   fails.
   */
  find(text: string): Promise<Caller>
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
    everyMs: LOOK_UP_INTERVAL_MS,
    maxItems: LOOK_UP_MAX,
    getKey: (hash) => hash,
    async run(hashes) {
      const { verified } = await accounts.verifyApiKeys({
        keySha256: hashes.map((hash) => Buffer.from(hash, 'base64')),
      })
      const answers = new Map<string, Caller | 'unknown'>(hashes.map((hash) => [hash, 'unknown']))
      for (const { keySha256, organization, apiKey } of verified) {
        if (!organization || !apiKey) throw new Error('accounts verified a key without its organization')
        answers.set(Buffer.from(keySha256).toString('base64'), { organization, apiKey })
      }
      return answers
    },
  })

  async function lookUpKnown(hash: string): Promise<Caller> {
    const found = await lookUp(hash)
    if (found !== 'unknown') return found
    unknown.set(hash, true)
    throw unknownKey()
  }

  return {
    async find(text) {
      if (!isWellFormedApiKey(text, olderKeyPrefixes))
        throw new ApiError('unauthorized', 'This key has a typing error; copy it again.')
      const hash = Buffer.from(hashApiKey(text)).toString('base64')
      if (unknown.get(hash)) throw unknownKey()
      return await valid.get(hash, () => lookUpKnown(hash))
    },
  }
}

const unknownKey = () => new ApiError('unauthorized', 'This key does not exist or was revoked.')
