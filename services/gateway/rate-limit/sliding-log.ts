/**
 * The rate limit of the keys that one replica owns. It is exact for every window of one second, because it stores the times of the last
 * accepted requests of each key. Used by `rate-limiter.ts`.
 */

export const WINDOW_MS = 1_000
/** 10 MB, and more keys than a gateway serves in a second. Above it the key with the oldest request is removed. */
const KEYS_MAX = 20_000

/** The decision about a request, and the remaining requests after it. */
export interface Verdict {
  accepted: boolean
  /** How many more would be accepted at this moment. */
  remaining: number
}

export interface SlidingLog {
  /** A refused request does not count, so that a key over the limit is served again after one second at most. */
  take(keyId: string): Verdict
  /** The number of stored keys. */
  readonly size: number
}

/** @param now milliseconds of a clock that is never set. */
export function createSlidingLog(limit: number, now: () => number, keysMax = KEYS_MAX): SlidingLog {
  /** When each key's requests of the last second were accepted, oldest first. The key that was accepted longest ago is first. */
  const keys = new Map<string, number[]>()

  /** Removes keys without a request in the window. Two per request, so that their number falls. */
  function removeIdle(windowStart: number): void {
    let checksLeft = 2
    for (const [keyId, accepts] of keys) {
      if (checksLeft-- === 0 || (keys.size < keysMax && (accepts.at(-1) as number) > windowStart)) return
      keys.delete(keyId)
    }
  }

  return {
    take(keyId) {
      const at = now()
      const windowStart = at - WINDOW_MS
      const accepts = keys.get(keyId) ?? []
      while (accepts.length > 0 && (accepts[0] as number) <= windowStart) accepts.shift()
      if (accepts.length >= limit) return { accepted: false, remaining: 0 }
      keys.delete(keyId)
      removeIdle(windowStart)
      accepts.push(at)
      keys.set(keyId, accepts)
      return { accepted: true, remaining: limit - accepts.length }
    },
    get size() {
      return keys.size
    },
  }
}
