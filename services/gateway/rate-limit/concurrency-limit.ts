/**
 * Limits the requests of a kind that a key and an organization have at once, because each holds a connection for up to two minutes. Each
 * gateway counts its own. Reference: docs/reference/limits.md#requests-at-once.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import { type Caller, getCredentialId } from '../caller.ts'

const RETRY_AFTER_SECONDS = 1

type LimitedCaller = Pick<Caller, 'credential'> & { organization: { id: string } }

/** @throws ApiError `rate_limited` for a request over a limit, which is not run. */
export type ConcurrencyLimit = <Result>(caller: LimitedCaller, run: () => Promise<Result>) => Promise<Result>

/** @param kind what the requests are, in the plural. */
export function createConcurrencyLimit(
  kind: string,
  { perKey, perOrganization }: { perKey: number; perOrganization: number },
): ConcurrencyLimit {
  /** Requests by id of the key or the organization. */
  const running = new Map<string, number>()

  function requireBelow(who: string, id: string, max: number): void {
    if ((running.get(id) ?? 0) < max) return
    const message = `This ${who} has ${max} ${kind} at once. Send the request again when one of them has ended.`
    throw new ApiError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  function add(id: string, change: 1 | -1): void {
    const count = (running.get(id) ?? 0) + change
    if (count === 0) running.delete(id)
    else running.set(id, count)
  }

  return async (caller, run) => {
    const ids = [getCredentialId(caller), caller.organization.id] as const
    requireBelow(caller.credential.kind, ids[0], perKey)
    requireBelow('organization', ids[1], perOrganization)
    for (const id of ids) add(id, 1)
    try {
      return await run()
    } finally {
      for (const id of ids) add(id, -1)
    }
  }
}
