/** Full jitter: whatever failed for everybody at once is tried again by each at another time. */
export interface Backoff {
  /** The first pause is anything from 0 to this; the upper end doubles with each failure. */
  baseMs: number
  maxMs: number
}

/** @param failures before the one that this pause follows. */
export function pauseMs(failures: number, { baseMs, maxMs }: Backoff): number {
  return Math.random() * Math.min(maxMs, baseMs * 2 ** failures)
}
