/** Exponential backoff with full jitter, so that agents that failed together do not retry together. */
export interface Backoff {
  /** Upper bound of the first pause. It doubles with each failure. */
  baseMs: number
  maxMs: number
}

/** @param failures number of earlier failures in a row. */
export function pauseMs(failures: number, { baseMs, maxMs }: Backoff): number {
  return Math.random() * Math.min(maxMs, baseMs * 2 ** failures)
}
