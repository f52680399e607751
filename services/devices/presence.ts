/**
 * When each computer was last heard. Heartbeats are written in batches, since one write each would cost 4 % of a machine at
 * 10,000 agents (DESIGN, "Speed"); each write is guarded by the stream's epoch, so that a late word of an older stream changes nothing.
 */
import type { Connection } from './agents/connection.ts'
import { turnComputers, turns } from './computer-state.ts'
import type { Devices } from './devices.ts'

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

// Who was taken for gone because its replica stood still, or the network did, is there again without a new hello: perhaps while it is just
// being taken for gone, so computers are locked in the order of their ids, as `sweepPresence` locks them.
const HEARD = turnComputers(
  `UPDATE devices.computer SET last_seen_at = $3, ${turns(`CASE WHEN disconnected_at IS NULL THEN 'online' ELSE state END`)}
   WHERE id IN (
     SELECT id FROM unnest($1::uuid[], $2::bigint[]) AS heard (id, epoch) JOIN devices.computer USING (id, epoch)
     WHERE deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE OF computer)`,
  '$3',
)

const DISCONNECTED = turnComputers(
  `UPDATE devices.computer SET disconnected_at = $3, last_seen_at = $3, ${turns(`CASE WHEN $4 THEN 'offline' ELSE state END`)}
   WHERE id = $1 AND epoch = $2`,
  '$3',
)

export function createPresence({
  pool,
  clock,
  eventsAdded,
}: Pick<Devices, 'pool' | 'clock' | 'eventsAdded'>): Presence {
  const heard = new Map<string, Heard>()
  return {
    heard: (connection) => void heard.set(connection.computerId, connection),

    async flush() {
      if (heard.size === 0) return
      const connections = [...heard.values()]
      heard.clear()
      const { rows } = await pool.query<{ id: string; turned: boolean }>({
        name: 'heard computers',
        text: `${HEARD} SELECT id, turned FROM computers`,
        values: [connections.map(({ computerId }) => computerId), connections.map(({ epoch }) => epoch), clock.now()],
      })
      if (rows.some(({ turned }) => turned)) eventsAdded()
      const newest = new Set(rows.map(({ id }) => id))
      for (const connection of connections) if (!newest.has(connection.computerId)) connection.end()
    },

    async disconnected({ computerId, epoch }, cleanly) {
      const { rowCount } = await pool.query({
        name: 'disconnected',
        text: `${DISCONNECTED} SELECT FROM computers WHERE turned`,
        values: [computerId, epoch, clock.now(), cleanly],
      })
      if (rowCount) eventsAdded()
    },
  }
}
