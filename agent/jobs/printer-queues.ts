/** Jobs of one printer are handed over one after the other, in the order in which they entered its lane. */
export interface QueueSlot {
  /** Of the job among all jobs; journaled, so that a restart lines them up as they were. */
  sequence: number
  /** Resolves when every job that entered before has left. */
  ready: Promise<void>
  /** May be called more than once. */
  release(): void
}

export function createPrinterQueues() {
  const ends = new Map<string, Promise<void>>()

  return {
    add(printerOsName: string, sequence: number): QueueSlot {
      const turn = ends.get(printerOsName) ?? Promise.resolve()
      const { promise: left, resolve: leave } = Promise.withResolvers<void>()
      ends.set(
        printerOsName,
        turn.then(() => left),
      )
      return { sequence, ready: turn, release: leave }
    },
  }
}
