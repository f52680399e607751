/**
 * Looks API keys up in the accounts service, and remembers the answers for a moment: an integrator's requests come in bursts,
 * and a look-up for each would double the work of reading.
 */
import type { Client } from '@connectrpc/connect'
import { hashApiKey } from '@platen/accounts/api-key.ts'
import type { AccountsService, ApiKey, Organization } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { remember } from '../remember.ts'

/** A revoked key stops within that time (decisions, "Identity and limits"). Counted from before the look-up. */
const REMEMBER_MS = 5_000
/** About 10 MB. The keys that were used last stay. */
const REMEMBER_KEYS_MAX = 10_000

/** Who makes a request. */
export interface Caller {
  organization: Organization
  apiKey: ApiKey
}

export interface ApiKeys {
  /**
   * @returns undefined for a key that does not exist or was revoked.
   * @throws ApiError `service_unavailable` when that cannot be known now.
   */
  find(key: string): Promise<Caller | undefined>
}

/** @param now milliseconds of a clock that is never set. */
export function createApiKeys(
  accounts: Pick<Client<typeof AccountsService>, 'verifyApiKey'>,
  now?: () => number,
): ApiKeys {
  const recall = remember<Caller | undefined>({ rememberMs: REMEMBER_MS, entriesMax: REMEMBER_KEYS_MAX, now })

  async function lookUp(keySha256: Uint8Array<ArrayBuffer>): Promise<Caller | undefined> {
    try {
      const { organization, apiKey } = await accounts.verifyApiKey({ keySha256 })
      if (!organization || !apiKey) throw new Error('accounts verified a key without saying whose it is')
      return { organization, apiKey }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthorized') return undefined
      throw error
    }
  }

  return {
    async find(key) {
      const keySha256 = hashApiKey(key)
      return await recall(Buffer.from(keySha256).toString('base64'), () => lookUp(keySha256))
    },
  }
}
