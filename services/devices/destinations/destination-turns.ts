/**
 * Gives the waiting jobs of destinations to the streams of this replica: decides which printers may take the next job,
 * and lets their streams claim it. Every replica does so for its own streams when jobs or devices announce a
 * destination. A lost announcement delays a job by at most the interval in which jobs announce what waits. A turn is
 * used at once or dropped, so that it is never old.
 */
import type { Devices } from '../devices.ts'
import { type DestinationNow, type PrinterNow, readDestinationsById } from './read-destinations.ts'

/** Destinations of one query. */
const BATCH = 100

/** A destination that gives its next job to a printer. */
export interface DestinationTurn {
  destinationId: string
  revision: bigint
  /** The earlier printers of the destination, if a later one has the turn. */
  passed: PrinterNow[]
}

export interface DestinationTurns {
  /** Jobs wait for the destinations. */
  announced(destinationIds: string[]): void
  /** A printer of the computer may have become available. Costs nothing for a computer without destinations. */
  giveToComputer(computerId: string): Promise<void>
}

type Context = Pick<Devices, 'pool' | 'clock' | 'log' | 'connections' | 'printers'>

export function createDestinationTurns(getDevices: () => Context): DestinationTurns {
  const pending = new Set<string>()
  let isRunning = false

  async function run(): Promise<void> {
    const devices = getDevices()
    while (pending.size > 0) {
      const ids = [...pending].slice(0, BATCH)
      for (const id of ids) pending.delete(id)
      for (const destination of await readDestinationsById(devices.pool, devices.clock.now(), ids))
        giveTurns(devices, destination)
    }
  }

  function announced(destinationIds: string[]): void {
    for (const id of destinationIds) pending.add(id)
    if (isRunning || pending.size === 0) return
    isRunning = true
    run()
      .catch((error: unknown) =>
        getDevices().log.warn({ err: error }, 'destinations not read, jobs announce them again'),
      )
      .finally(() => {
        isRunning = false
        if (pending.size > 0) announced([])
      })
  }

  return {
    announced,
    async giveToComputer(computerId) {
      const devices = getDevices()
      const ids = (await devices.printers.list(computerId)).flatMap(({ destinationIds }) => destinationIds)
      if (ids.length === 0) return
      for (const destination of await readDestinationsById(devices.pool, devices.clock.now(), [...new Set(ids)]))
        giveTurns(devices, destination, computerId)
    },
  }
}

/** @param only of this computer. */
function giveTurns({ connections }: Context, destination: DestinationNow, only?: string): void {
  const { id, revision, policy, printers } = destination
  for (const [n, { printerId, computerId, hasTurn }] of printers.entries()) {
    if (!hasTurn || (only !== undefined && computerId !== only)) continue
    const passed = policy === 'first' ? printers.slice(0, n) : []
    const turn = { destinationId: id, revision: BigInt(revision), passed }
    connections.get(computerId)?.dispatch.hasTurn(printerId, turn)
  }
}
