/** Jobs of one printer are handed over one after the other, in the order in which they entered its lane. */
export interface Place {
  /** Of the job among all jobs; journaled, so that a restart lines them up as they were. */
  sequence: number
  /** Resolves when every job that entered before has left. */
  turn: Promise<void>
  /** May be called more than once. */
  leave(): void
}

export function createLanes() {
  const ends = new Map<string, Promise<void>>()

  return {
    enter(printerOsName: string, sequence: number): Place {
      const turn = ends.get(printerOsName) ?? Promise.resolve()
      const { promise: left, resolve: leave } = Promise.withResolvers<void>()
      ends.set(
        printerOsName,
        turn.then(() => left),
      )
      return { sequence, turn, leave }
    },
  }
}
