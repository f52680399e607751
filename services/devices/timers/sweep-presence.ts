import { turnComputers, turns } from '../computer-state.ts'
import type { Devices } from '../devices.ts'

/** Locks the computers in the order of their ids, as `presence.ts` those that were heard: the two wait for each other and never deadlock. */
const SWEEP = turnComputers(
  `UPDATE devices.computer SET ${turns(`'offline'`)} WHERE id IN (
     SELECT id FROM devices.computer WHERE state = 'online' AND (disconnected_at <= $1 OR last_seen_at <= $2)
     ORDER BY id FOR NO KEY UPDATE)`,
  '$3',
)

/**
 * Sets computers `offline` whose stream is gone for too long. Reference: docs/reference/computers.md#states.
 *
 * @param limits `graceMs`: a drop that heals within this time changes nothing. `silentMs`: open but silent for so long, or the replica
 *   that held the stream has died.
 */
export async function sweepPresence(
  { pool, clock, eventsAdded }: Pick<Devices, 'pool' | 'clock' | 'eventsAdded'>,
  { graceMs, silentMs }: { graceMs: number; silentMs: number },
): Promise<void> {
  const now = clock.now()
  const { rowCount } = await pool.query({
    name: 'sweep presence',
    text: `${SWEEP} SELECT FROM computers`,
    values: [new Date(now.getTime() - graceMs), new Date(now.getTime() - silentMs), now],
  })
  if (rowCount) eventsAdded()
}
