/** The agents' streams that this replica holds, one for each computer at most. */
import type { Connection } from './connection.ts'

export interface Connections {
  get(computerId: string): Connection | undefined
  all(): Connection[]
  /** @returns the older connection of the same computer, which is superseded. */
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
      const older = byComputer.get(connection.computerId)
      byComputer.set(connection.computerId, connection)
      return older
    },
    remove(connection) {
      if (byComputer.get(connection.computerId) === connection) byComputer.delete(connection.computerId)
    },
  }
}
