/**
 * The agent streams of this replica: for each computer the newest one, and at most one that was superseded and still
 * reports.
 */
import { agentsConnected, dispatchOldest } from '@platen/runtime/telemetry/metrics.ts'
import type { Connection } from './connection.ts'

export interface Connections {
  /** The newest stream of a computer. */
  get(computerId: string): Connection | undefined
  all(): Connection[]
  /**
   * Keeps the connection with the highest epoch of a computer, in any order of the calls.
   *
   * @returns the superseded connection, which may be `connection` itself.
   */
  add(connection: Connection): Connection | undefined
  /** Keeps a superseded connection until `remove`. @returns the one that was superseded before. */
  supersede(connection: Connection): Connection | undefined
  remove(connection: Connection): void
}

export function measureConnections(connections: Connections): void {
  agentsConnected.observe({}, () => connections.all().length)
  dispatchOldest.observe(
    {},
    () => connections.all().reduce((max, { dispatch }) => Math.max(max, dispatch.waitingMs), 0) / 1000,
  )
}

export function createConnections(): Connections {
  const byComputer = new Map<string, Connection>()
  const superseded = new Map<string, Connection>()
  /** Does nothing if another connection has replaced it. */
  const removeFrom = (map: Map<string, Connection>, connection: Connection) => {
    if (map.get(connection.computerId) === connection) map.delete(connection.computerId)
  }
  return {
    get: (computerId) => byComputer.get(computerId),
    all: () => [...byComputer.values(), ...superseded.values()],
    add(connection) {
      const current = byComputer.get(connection.computerId)
      if (current && current.epoch > connection.epoch) return connection
      byComputer.set(connection.computerId, connection)
      return current
    },
    supersede(connection) {
      const earlier = superseded.get(connection.computerId)
      removeFrom(byComputer, connection)
      superseded.set(connection.computerId, connection)
      return earlier
    },
    remove(connection) {
      removeFrom(byComputer, connection)
      removeFrom(superseded, connection)
    },
  }
}
