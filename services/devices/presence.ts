/**
 * When each computer was last heard. Heartbeats are written in batches, since one write each would cost 4 % of a machine at
 * 10,000 agents (DESIGN, "Speed"); each write is guarded by the stream's epoch, so that a late word of an older stream changes nothing.
 */
import type { Clock } from '@platen/runtime/clock.ts'
import type { Pool } from 'pg'
import type { Connection } from './agents/connection.ts'

type Heard = Pick<Connection, 'computerId' | 'epoch' | 'end'>

export interface Presence {
  /** An agent said something. */
  heard(connection: Heard): void
  /** Writes what was heard since the last time. Ends the streams that are their computer's newest no more and were not told. */
  flush(): Promise<void>
  /**
   * A stream is gone. Its computer is `offline` at once when the agent shut down cleanly; else only when it is not back in time,
   * which `sweepPresence` finds.
   */
  disconnected(connection: Heard, cleanly: boolean): Promise<void>
}

export function createPresence(pool: Pool, clock: Clock): Presence {
  const heard = new Map<string, Heard>()
  return {
    heard: (connection) => void heard.set(connection.computerId, connection),

    async flush() {
      if (heard.size === 0) return
      const connections = [...heard.values()]
      heard.clear()
      const { rows } = await pool.query<{ id: string }>({
        name: 'heard computers',
        // Who was taken for gone because its replica stood still, or the network did, is there again without a new hello.
        text: `UPDATE devices.computer SET last_seen_at = $3, state = CASE WHEN disconnected_at IS NULL THEN 'online' ELSE state END
               FROM unnest($1::uuid[], $2::bigint[]) AS heard (id, epoch)
               WHERE computer.id = heard.id AND computer.epoch = heard.epoch AND deleted_at IS NULL RETURNING computer.id`,
        values: [connections.map(({ computerId }) => computerId), connections.map(({ epoch }) => epoch), clock.now()],
      })
      const newest = new Set(rows.map(({ id }) => id))
      for (const connection of connections) if (!newest.has(connection.computerId)) connection.end()
    },

    async disconnected({ computerId, epoch }, cleanly) {
      await pool.query(
        `UPDATE devices.computer SET disconnected_at = $3, last_seen_at = $3, state = CASE WHEN $4 THEN 'offline' ELSE state END
         WHERE id = $1 AND epoch = $2`,
        [computerId, epoch, clock.now(), cleanly],
      )
    },
  }
}
