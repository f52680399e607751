import { changeComputers, setState } from '../computer-state.ts'
import type { Devices } from '../devices.ts'

/** Locks the computers in the order of their ids, like `presence.ts`, so that both cannot deadlock. */
const SWEEP = changeComputers(
  `UPDATE devices.computer SET ${setState(`'offline'`)} WHERE id IN (
     SELECT id FROM devices.computer WHERE state = 'online' AND (disconnected_at <= $1 OR last_seen_at <= $2)
     ORDER BY id FOR NO KEY UPDATE)`,
  '$3',
)

/**
 * Sets computers `offline` after a disconnect or silence. Reference: docs/reference/computers.md#states.
 *
 * @param limits `graceMs`: a shorter disconnect changes nothing. `silentMs`: time without messages, for example after a
 *   crash of the replica.
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
