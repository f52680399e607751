/**
 * The rate limit of the keys that one replica decides for, exact in every second that can be laid over the time line: of each key it
 * knows when the last requests were accepted, and the oldest of them must be a second ago. Used by `rate-limiter.ts`.
 */

export const WINDOW_MS = 1_000
/** 10 MB, and more keys than a gateway serves in a second. Beyond them the one that was used longest ago starts anew. */
const KEYS_MAX = 20_000

/** What becomes of a request, and what is left behind it. */
export interface Verdict {
  accepted: boolean
  /** So many more would be accepted at this moment. */
  remaining: number
}

export interface SlidingLog {
  /** A request that is refused does not count: who is over the limit is served again as soon as he is not. */
  take(keyId: string): Verdict
  /** How many keys are remembered. */
  readonly size: number
}

/** @param now milliseconds of a clock that is never set. */
export function createSlidingLog(limit: number, now: () => number, keysMax = KEYS_MAX): SlidingLog {
  /** When each key's requests of the last second were accepted, oldest first. The key that was accepted longest ago is first. */
  const keys = new Map<string, number[]>()

  /** A key without an accept in the window is as good as one that was never seen. Two for each that may come, so they get fewer. */
  function forgetIdle(windowStart: number): void {
    let looks = 2
    for (const [keyId, accepts] of keys) {
      if (looks-- === 0 || (keys.size < keysMax && (accepts.at(-1) as number) > windowStart)) return
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
      forgetIdle(windowStart)
      accepts.push(at)
      keys.set(keyId, accepts)
      return { accepted: true, remaining: limit - accepts.length }
    },
    get size() {
      return keys.size
    },
  }
}
