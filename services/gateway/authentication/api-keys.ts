import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import type { AccountsService, ApiKey } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { hashApiKey, isWellFormedApiKey } from '@platen/resources/api-key.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { type Caller, requireActive } from '../caller.ts'
import { createLookUps } from './look-ups.ts'

export interface ApiKeys {
  /**
   * A key with a wrong checksum is refused without a look-up.
   *
   * @param text of any form.
   * @throws ExpiredKey; ApiError `unauthorized` for a key that is malformed, does not exist or was revoked;
   *   `organization_suspended`; `service_unavailable` if the look-up fails.
   */
  find(text: string): Promise<Caller>
}

/** Only the holder of the key learns that it existed, because the look-up is by the hash of the whole key. */
export class ExpiredKey extends ApiError {
  constructor(end: Date) {
    super('unauthorized', `This key expired at ${end.toISOString()}. Use another key.`)
  }
}

const UNKNOWN = 'This key does not exist or was revoked.'

type KeyCaller = Caller & { credential: { kind: 'key' } }

export interface ApiKeysOptions {
  accounts: Pick<Client<typeof AccountsService>, 'verifyApiKeys'>
  olderKeyPrefixes: readonly string[]
  clock: Pick<Clock, 'now'>
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

export function createApiKeys({ accounts, olderKeyPrefixes, clock, now }: ApiKeysOptions): ApiKeys {
  const lookUps = createLookUps<KeyCaller>({
    async verify(hashes) {
      const { verified } = await accounts.verifyApiKeys({ keySha256: hashes })
      return verified.map(({ keySha256, organization, apiKey }) => {
        if (!organization || !apiKey) throw new Error('accounts verified a key without its organization')
        return [keySha256, { organization, mode: apiKey.mode, credential: { kind: 'key', apiKey } }]
      })
    },
    unknown: UNKNOWN,
    now,
  })

  function requireUnexpired({ expiresAt }: ApiKey): void {
    const end = expiresAt && timestampDate(expiresAt)
    if (end && end <= clock.now()) throw new ExpiredKey(end)
  }

  return {
    async find(text) {
      if (!isWellFormedApiKey(text, olderKeyPrefixes))
        throw new ApiError('unauthorized', 'This key has a typing error; copy it again.')
      const caller = await lookUps.find(hashApiKey(text))
      // Its secret has another form, so no key of the API is one.
      if (caller.credential.apiKey.kind !== '') throw new ApiError('unauthorized', UNKNOWN)
      requireUnexpired(caller.credential.apiKey)
      requireActive(caller.organization)
      return caller
    },
  }
}
