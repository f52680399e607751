import type { Clock } from '@platen/runtime/clock.ts'
import type { Pool } from 'pg'

/**
 * Finds the computers that are `online` and gone for too long. Source: decisions, "Computers and printers".
 *
 * @param limits `graceMs`: a drop that heals within this time changes nothing. `silentMs`: open but silent for so long, or the replica
 *   that held the stream has died.
 */
export async function sweepPresence(
  pool: Pool,
  clock: Clock,
  { graceMs, silentMs }: { graceMs: number; silentMs: number },
): Promise<void> {
  const now = clock.now().getTime()
  await pool.query({
    name: 'sweep presence',
    text: `UPDATE devices.computer SET state = 'offline'
           WHERE state = 'online' AND (disconnected_at <= $1 OR last_seen_at <= $2)`,
    values: [new Date(now - graceMs), new Date(now - silentMs)],
  })
}
