/**
 * Remembers the answers of look-ups that bursts of requests would repeat, each for a short time, counted from before it was asked for.
 * Those who ask at the same time share one look-up. A failed one is not remembered. Used for API keys and printers.
 */
export interface RememberOptions {
  rememberMs: number
  /** Beyond these the one that was asked for longest ago is forgotten. */
  entriesMax: number
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

export function remember<Answer>({ rememberMs, entriesMax, now = () => performance.now() }: RememberOptions) {
  const remembered = new Map<string, { answer: Promise<Answer>; until: number }>()

  function put(name: string, entry: { answer: Promise<Answer>; until: number }): void {
    remembered.delete(name)
    remembered.set(name, entry)
    if (remembered.size <= entriesMax) return
    const [oldest] = remembered.keys()
    if (oldest !== undefined) remembered.delete(oldest)
  }

  /** @throws what `lookUp` throws. */
  return async (name: string, lookUp: () => Promise<Answer>): Promise<Answer> => {
    const known = remembered.get(name)
    const entry = known && known.until > now() ? known : { until: now() + rememberMs, answer: lookUp() }
    put(name, entry)
    try {
      return await entry.answer
    } catch (error) {
      if (remembered.get(name) === entry) remembered.delete(name)
      throw error
    }
  }
}
