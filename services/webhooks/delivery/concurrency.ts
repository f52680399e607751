/**
 * The concurrency of an endpoint: the maximum number of its leased deliveries over all replicas. It keeps slow
 * endpoints from delaying others. `take-due.ts` applies it.
 */
import type { ErrorClass, Outcome } from './send.ts'

/** For an endpoint that responds immediately: sufficient for a thousand deliveries per second. */
export const CONCURRENCY_MAX = 64
/** For a new endpoint, and one that responds quickly. */
export const CONCURRENCY_FAST = 32
export const CONCURRENCY_SLOW = 8
/** Each attempt checks whether the endpoint is reachable again. */
export const CONCURRENCY_UNREACHABLE = 1
/**
 * For all slow endpoints together, and for all unreachable ones: a small part of what one process attempts
 * (`attempt-message.ts`).
 */
export const CONCURRENCY_SHARED = 64
const IMMEDIATE_MS = 50
/** An endpoint is slow after an attempt that took longer. */
const SLOW_MS = 1_000

const UNREACHABLE: (ErrorClass | null)[] = ['timeout', 'dns', 'connect', 'tls']

/**
 * @returns the upper limit after this attempt. The concurrency doubles with each response until it reaches the limit.
 */
export function concurrencyAfter({ errorClass, durationMs }: Pick<Outcome, 'errorClass' | 'durationMs'>): number {
  if (UNREACHABLE.includes(errorClass)) return CONCURRENCY_UNREACHABLE
  if (durationMs > SLOW_MS) return CONCURRENCY_SLOW
  return durationMs > IMMEDIATE_MS ? CONCURRENCY_FAST : CONCURRENCY_MAX
}
