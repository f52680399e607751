/**
 * Collects what is asked for one by one into calls that do many at once: most of what a call and a statement cost is the same for
 * one item and for fifty (DESIGN, "Speed").
 *
 * After a quiet time an item goes out at once, with those that came in the same turn of the event loop; then batches start some
 * milliseconds apart, however long each takes, so that a slow call delays only its own items.
 */

export interface BatchesOptions<Item, Result> {
  /** Milliseconds from the start of a batch of so many items to that of the next. */
  restMs: (items: number) => number
  maxItems: number
  /** Of two items with one key the second waits for a later batch. */
  keyOf: (item: Item) => string
  /** @returns the results by key; an item that has none fails. */
  run: (items: Item[]) => Promise<Map<string, Result>>
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** @returns the call for one item; it fails as the batch fails. */
export function createBatches<Item, Result>(options: BatchesOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { restMs, maxItems, keyOf, run } = options
  let waiting: Waiting<Item, Result>[] = []
  let scheduled = false
  let nextAt = Number.NEGATIVE_INFINITY

  function schedule(): void {
    if (scheduled || waiting.length === 0) return
    scheduled = true
    const restMsLeft = nextAt - performance.now()
    if (restMsLeft > 0) setTimeout(start, restMsLeft)
    else setImmediate(start)
  }

  function start(): void {
    scheduled = false
    const batch = new Map<string, Waiting<Item, Result>>()
    const later: Waiting<Item, Result>[] = []
    for (const one of waiting) {
      const key = keyOf(one.item)
      if (batch.size >= maxItems || batch.has(key)) later.push(one)
      else batch.set(key, one)
    }
    waiting = later
    nextAt = performance.now() + restMs(batch.size)
    void settle(batch)
    schedule()
  }

  async function settle(batch: Map<string, Waiting<Item, Result>>): Promise<void> {
    try {
      const results = await run([...batch.values()].map(({ item }) => item))
      for (const [key, { resolve, reject }] of batch) {
        const result = results.get(key)
        if (result === undefined) reject(new Error('The batch has no result for this item.'))
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of batch.values()) reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      schedule()
    })
}

/** For items of which there is nothing to say but that they are written. @returns the call for one item; it fails as the batch fails. */
export function createWriteBatches<Item>({
  write,
  ...options
}: Omit<BatchesOptions<Item, true>, 'run'> & { write: (items: Item[]) => Promise<void> }): (
  item: Item,
) => Promise<unknown> {
  const run = async (items: Item[]) => {
    await write(items)
    return new Map(items.map((item) => [options.keyOf(item), true as const]))
  }
  return createBatches({ ...options, run })
}
