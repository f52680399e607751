import type { Client } from '@connectrpc/connect'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { hashApiKey } from '@platen/resources/api-key.ts'
import { isWellFormedPrintSecret } from '@platen/resources/print-secret.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Caller } from '../caller.ts'
import { createLookUps } from './look-ups.ts'

export interface PrintAccesses {
  /**
   * A secret with a wrong checksum is refused without a look-up. The organization can be suspended.
   *
   * @param text of any form.
   * @throws ApiError `unauthorized` for a secret that is malformed, does not exist or was revoked;
   *   `service_unavailable` if the look-up fails.
   */
  find(text: string): Promise<Caller>
}

interface Options {
  accounts: Pick<Client<typeof AccountsService>, 'verifyApiKeys'>
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

const UNKNOWN = 'This print access does not exist or was revoked.'

/** They are looked up like API keys, with caches of their own. */
export function createPrintAccesses({ accounts, now }: Options): PrintAccesses {
  const lookUps = createLookUps<Caller>({
    async verify(hashes) {
      const { verified } = await accounts.verifyApiKeys({ keySha256: hashes })
      return verified.flatMap(({ keySha256, organization, apiKey }) => {
        if (!organization || !apiKey) throw new Error('accounts verified a print access without its organization')
        if (apiKey.kind !== 'print') return []
        return [[keySha256, { organization, mode: apiKey.mode, credential: { kind: 'print', access: apiKey } }]]
      })
    },
    unknown: UNKNOWN,
    now,
  })
  return {
    async find(text) {
      if (!isWellFormedPrintSecret(text)) throw new ApiError('unauthorized', UNKNOWN)
      return await lookUps.find(hashApiKey(text))
    },
  }
}
