/** The agents' streams that this replica holds, one for each computer at most. */
import type { Connection } from './connection.ts'

export interface Connections {
  get(computerId: string): Connection | undefined
  all(): Connection[]
  /**
   * Of two connections of one computer the one with the higher epoch stays, whichever came here first.
   *
   * @returns the other one, which is superseded; that may be `connection` itself.
   */
  add(connection: Connection): Connection | undefined
  /** Does nothing when a newer connection took its place. */
  remove(connection: Connection): void
}

export function createConnections(): Connections {
  const byComputer = new Map<string, Connection>()
  return {
    get: (computerId) => byComputer.get(computerId),
    all: () => [...byComputer.values()],
    add(connection) {
      const held = byComputer.get(connection.computerId)
      if (held && held.epoch > connection.epoch) return connection
      byComputer.set(connection.computerId, connection)
      return held
    },
    remove(connection) {
      if (byComputer.get(connection.computerId) === connection) byComputer.delete(connection.computerId)
    },
  }
}
