/** The agent streams of this replica, at most one for each computer. */
import { agentsConnected, dispatchOldest } from '@platen/runtime/telemetry/metrics.ts'
import type { Connection } from './connection.ts'

export interface Connections {
  get(computerId: string): Connection | undefined
  all(): Connection[]
  /**
   * Keeps the connection with the highest epoch of a computer, in any order of the calls.
   *
   * @returns the superseded connection, which may be `connection` itself.
   */
  add(connection: Connection): Connection | undefined
  /** Does nothing if a newer connection has replaced it. */
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
  return {
    get: (computerId) => byComputer.get(computerId),
    all: () => [...byComputer.values()],
    add(connection) {
      const current = byComputer.get(connection.computerId)
      if (current && current.epoch > connection.epoch) return connection
      byComputer.set(connection.computerId, connection)
      return current
    },
    remove(connection) {
      if (byComputer.get(connection.computerId) === connection) byComputer.delete(connection.computerId)
    },
  }
}
