/**
 * Rests an endpoint that cannot be reached: what is delivered to it meanwhile waits, and no attempt is spent on it. One for each
 * endpoint, in the memory of each process. Source: `docs/decisions.md`.
 */

/** Timeouts and failed connections in a row. */
const OPENS_AFTER = 5
const FIRST_REST_MS = 30_000
const REST_MAX_MS = 10 * 60_000
/** What else waits does so until the probe is over, at the latest: it knows nothing before. */
const AFTER_PROBE_MS = 20_000

/** `probe`: the one attempt that finds out whether the endpoint is there again. A number: not before then (milliseconds since 1970). */
export type Verdict = 'go' | 'probe' | number

export interface Breaker {
  ask(nowMs: number): Verdict
  /** It answered, whatever it said. @returns whether it had been resting. */
  reached(): boolean
  /** @param asProbe that this attempt was the probe. */
  unreachable(nowMs: number, asProbe: boolean): void
  /** The probe ended without an outcome. */
  probeLost(): void
  /** Nothing to remember. */
  isIdle(): boolean
  /** When the rest ends that goes on. */
  restsUntil(nowMs: number): number | undefined
}

export function createBreaker(): Breaker {
  let failuresInRow = 0
  let restMs = FIRST_REST_MS
  let openUntil: number | undefined
  let isProbing = false
  /** Somebody waits for the end of this rest and will be the probe; the others come after it. */
  let hasProbe = false

  function open(nowMs: number): void {
    openUntil = nowMs + restMs
    restMs = Math.min(restMs * 2, REST_MAX_MS)
    isProbing = false
    hasProbe = false
  }

  return {
    ask(nowMs) {
      if (openUntil === undefined) return 'go'
      if (nowMs >= openUntil) {
        if (isProbing) return nowMs + AFTER_PROBE_MS
        isProbing = true
        return 'probe'
      }
      if (hasProbe) return openUntil + AFTER_PROBE_MS
      hasProbe = true
      return openUntil
    },
    reached() {
      const wasOpen = openUntil !== undefined
      failuresInRow = 0
      restMs = FIRST_REST_MS
      openUntil = undefined
      isProbing = false
      return wasOpen
    },
    unreachable(nowMs, asProbe) {
      failuresInRow++
      if (asProbe || (openUntil === undefined && failuresInRow >= OPENS_AFTER)) open(nowMs)
    },
    probeLost() {
      isProbing = false
    },
    isIdle: () => failuresInRow === 0 && openUntil === undefined,
    restsUntil: (nowMs) =>
      openUntil !== undefined && nowMs < openUntil && hasProbe ? openUntil + AFTER_PROBE_MS : undefined,
  }
}
