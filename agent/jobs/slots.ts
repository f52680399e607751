export type Slots = ReturnType<typeof createSlots>

/** Runs at most `count` pieces of work at a time; the others wait in the order in which they came. */
export function createSlots(count: number) {
  const waiting: (() => void)[] = []
  let free = count

  return async function inSlot<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
