import type { Clock } from '@platen/runtime/clock.ts'
import type { Pool } from 'pg'

/** A drop that heals within this time changes nothing. Source: decisions, "Computers and printers". */
const GRACE_MS = 30_000

/** Open but silent: three heartbeats missed, or the replica that held the stream has died. */
const SILENT_MS = 60_000

/** Finds the computers that are `online` and gone for too long. */
export async function sweepPresence(pool: Pool, clock: Clock): Promise<void> {
  const now = clock.now().getTime()
  await pool.query({
    name: 'sweep presence',
    text: `UPDATE devices.computer SET state = 'offline'
           WHERE state = 'online' AND (disconnected_at <= $1 OR last_seen_at <= $2)`,
    values: [new Date(now - GRACE_MS), new Date(now - SILENT_MS)],
  })
}
