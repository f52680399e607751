/**
 * The rate limits of the keys and organizations that one replica owns. They are exact for every window of one second,
 * because it stores the times of the last accepted requests. Used by `rate-limiter.ts`.
 */

export const WINDOW_MS = 1_000
/** 10 MB, and more keys than a gateway serves in a second. Above it the key with the oldest request is removed. */
const KEYS_MAX = 20_000

/** Requests per second. */
export interface RateLimits {
  perKey: number
  /** The rate of all keys of an organization together. */
  perOrganization: number
}

/** The decision about a request, and the remaining requests after it. */
export interface Verdict {
  accepted: boolean
  /** How many more would be accepted at this moment. */
  remaining: number
  /** Whether the limit of the organization refused it. */
  organizationExceeded?: boolean
}

export interface SlidingLog {
  /** A refused request does not count, so that a key over the limit is served again after one second at most. */
  take(keyId: string, organizationId: string): Verdict
  /** The number of stored keys. */
  readonly size: number
}

/** @param now milliseconds of a clock that is never set. */
export function createSlidingLog(
  { perKey, perOrganization }: RateLimits,
  now: () => number,
  keysMax = KEYS_MAX,
): SlidingLog {
  const keys = createAccepts(keysMax)
  const organizations = createAccepts(keysMax)
  return {
    take(keyId, organizationId) {
      const at = now()
      const ofKey = keys.read(keyId, at)
      const ofOrganization = organizations.read(organizationId, at)
      if (ofKey.length >= perKey) return { accepted: false, remaining: 0 }
      if (ofOrganization.length >= perOrganization) return { accepted: false, remaining: 0, organizationExceeded: true }
      keys.add(keyId, ofKey, at)
      organizations.add(organizationId, ofOrganization, at)
      return { accepted: true, remaining: Math.min(perKey - ofKey.length, perOrganization - ofOrganization.length) }
    },
    get size() {
      return keys.size()
    },
  }
}

/** When the requests of the last second were accepted, by id. */
function createAccepts(idsMax: number) {
  /** Oldest request first. The id that was accepted longest ago is first. */
  const ids = new Map<string, number[]>()

  /** Removes ids without a request in the window. Two per request, so that their number falls. */
  function removeIdle(windowStart: number): void {
    let checksLeft = 2
    for (const [id, accepts] of ids) {
      if (checksLeft-- === 0 || (ids.size < idsMax && (accepts.at(-1) as number) > windowStart)) return
      ids.delete(id)
    }
  }

  return {
    read(id: string, at: number): number[] {
      const accepts = ids.get(id) ?? []
      while (accepts.length > 0 && (accepts[0] as number) <= at - WINDOW_MS) accepts.shift()
      return accepts
    },
    /** @param accepts as `read` returned them. */
    add(id: string, accepts: number[], at: number): void {
      ids.delete(id)
      removeIdle(at - WINDOW_MS)
      accepts.push(at)
      ids.set(id, accepts)
    },
    size: () => ids.size,
  }
}
