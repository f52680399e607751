/** Jobs of one printer are handed over one at a time, in the order in which they were added. */
export interface QueueSlot {
  /** Position of the job among all jobs. Journaled, so that a restart keeps the order. */
  sequence: number
  /** Resolves when all earlier jobs of the printer have been released. */
  ready: Promise<void>
  /** May be called more than once. */
  release(): void
}

export function createPrinterQueues() {
  const ends = new Map<string, Promise<void>>()

  return {
    add(printerOsName: string, sequence: number): QueueSlot {
      const ready = ends.get(printerOsName) ?? Promise.resolve()
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      ends.set(
        printerOsName,
        ready.then(() => released),
      )
      return { sequence, ready, release }
    },
  }
}
