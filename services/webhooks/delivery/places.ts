/**
 * How many deliveries of an endpoint are on their way at a time, over all replicas, so that no endpoint's slowness is another's. The rule;
 * `take-due.ts` applies it.
 */
import type { ErrorClass, Outcome } from './send.ts'

/** For an endpoint that answers; as many as it takes that one endpoint alone gets some hundred deliveries a second. */
export const PLACES_MAX = 32
/** For one that takes its time. */
export const PLACES_SLOW = 8
/** For one that was not there to answer: each attempt finds out whether it is again. */
export const PLACES_UNREACHABLE = 1
/** For all slow ones together, and for all unreachable ones: a small part of what one process delivers at a time (`attempt-message.ts`). */
export const PLACES_SHARED = 64
/** An attempt that takes longer makes its endpoint a slow one. */
const SLOW_MS = 1_000

const UNREACHABLE: (ErrorClass | null)[] = ['timeout', 'dns', 'connect', 'tls']

/** @returns the most that the endpoint may have after this attempt. It gets there by doubling what it has with each answer. */
export function placesAfter({ errorClass, durationMs }: Pick<Outcome, 'errorClass' | 'durationMs'>): number {
  if (UNREACHABLE.includes(errorClass)) return PLACES_UNREACHABLE
  return durationMs > SLOW_MS ? PLACES_SLOW : PLACES_MAX
}
