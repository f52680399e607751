/** Mails that are rows of a table. Several replicas may send them; a row is leased by one. */
import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'

const MINUTE_MS = 60_000

/** Longer than the timeout of one mail, so that no other replica sends the same one. */
const LEASE_MS = MINUTE_MS

/** A slow mail server must not make one wait for the other. */
export const MAILS_AT_ONCE = 16

/** Between two tries, doubled each time. */
const PAUSE_MS = { first: MINUTE_MS, longest: 60 * MINUTE_MS }

const DISCARD_AFTER_MS = 72 * 60 * MINUTE_MS

const toLeaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_MS)

/**
 * Sends until no row is due. A process that crashes repeats at most the mails that it was sending, with the same
 * `Message-ID`.
 *
 * @param claim SQL: moves the due time of at most `MAILS_AT_ONCE` rows from `$1` to `$2`, and returns the rows.
 * @param send also finishes the row, or moves its due time after a failure.
 */
export async function sendDue<Row extends object>(
  { pool, clock }: { pool: Pool; clock: Clock },
  stopping: AbortSignal,
  claim: string,
  send: (row: Row) => Promise<void>,
): Promise<void> {
  let claimed: Row[]
  do {
    const now = clock.now()
    claimed = (await pool.query<Row>(claim, [now, toLeaseEnd(now)])).rows
    // A mail that fails does not end the sweep while others are being sent.
    const outcomes = await Promise.allSettled(claimed.map(send))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  } while (claimed.length === MAILS_AT_ONCE && !stopping.aborted)
}

/** @returns null for a mail that is discarded, after three days. */
export function getRetryTime(now: Date, { tries, createdAt }: { tries: number; createdAt: Date }): Date | null {
  if (now.getTime() - createdAt.getTime() >= DISCARD_AFTER_MS) return null
  return new Date(now.getTime() + Math.min(PAUSE_MS.first * 2 ** (tries - 1), PAUSE_MS.longest))
}
