/**
 * Records when each computer was last seen. Heartbeats are written in batches, because one write for each heartbeat
 * costs 4 % of a machine at 10,000 agents. Writes are guarded by the epoch, so that a late message of an older stream
 * changes nothing.
 */
import type { Connection } from './agents/connection.ts'
import { changeComputers, setState } from './computer-state.ts'
import type { Devices } from './devices.ts'

type Stream = Pick<Connection, 'computerId' | 'epoch' | 'end'> & Partial<Pick<Connection, 'endedBecause'>>

export interface Presence {
  /** Call for each message of an agent. */
  seen(connection: Stream): void
  /**
   * Writes the computers seen since the last flush. Ends streams that are no longer the newest one of their computer,
   * except those that were superseded since, which still report their jobs.
   */
  flush(): Promise<void>
  /**
   * Sets the computer `offline` immediately after a clean shutdown. Otherwise `sweepPresence` does so after the grace
   * period.
   */
  disconnected(connection: Stream, cleanly: boolean): Promise<void>
}

// A heartbeat brings a computer back online that a stalled replica or network marked offline. Locks the computers in
// the order of their ids, like `sweepPresence`, so that both cannot deadlock.
const SEEN = changeComputers(
  `UPDATE devices.computer SET last_seen_at = GREATEST(last_seen_at, seen.at),
     ${setState(`CASE WHEN disconnected_at IS NULL THEN 'online' ELSE state END`)}
   FROM (
     SELECT id, at FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS seen (id, epoch, at)
     JOIN devices.computer USING (id, epoch)
     WHERE deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE OF computer) AS seen
   WHERE computer.id = seen.id`,
  '$4',
)

const DISCONNECTED = changeComputers(
  `UPDATE devices.computer
   SET disconnected_at = $3, last_seen_at = $3, ${setState(`CASE WHEN $4 THEN 'offline' ELSE state END`)}
   WHERE id = $1 AND epoch = $2`,
  '$3',
)

export function createPresence({
  pool,
  clock,
  eventsAdded,
}: Pick<Devices, 'pool' | 'clock' | 'eventsAdded'>): Presence {
  const seen = new Map<string, { connection: Stream; at: Date }>()
  return {
    seen: (connection) => void seen.set(connection.computerId, { connection, at: clock.now() }),

    async flush() {
      if (seen.size === 0) return
      const all = [...seen.values()]
      const connections = all.map(({ connection }) => connection)
      seen.clear()
      const { rows } = await pool.query<{ id: string; changed: boolean }>({
        name: 'seen computers',
        text: `${SEEN} SELECT id, changed FROM computers`,
        values: [
          connections.map(({ computerId }) => computerId),
          connections.map(({ epoch }) => epoch),
          all.map(({ at }) => at),
          clock.now(),
        ],
      })
      if (rows.some(({ changed }) => changed)) eventsAdded()
      const newest = new Set(rows.map(({ id }) => id))
      for (const connection of connections)
        if (!newest.has(connection.computerId) && connection.endedBecause === undefined) connection.end('superseded')
    },

    async disconnected({ computerId, epoch }, cleanly) {
      const { rowCount } = await pool.query({
        name: 'disconnected',
        text: `${DISCONNECTED} SELECT FROM computers WHERE changed`,
        values: [computerId, epoch, clock.now(), cleanly],
      })
      if (rowCount) eventsAdded()
    },
  }
}
