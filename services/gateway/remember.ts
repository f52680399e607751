/**
 * Remembers the answers of look-ups that bursts of requests would repeat, each for a short time, counted from before it was asked for.
 * An answer that is asked for in the second half of its time is looked up anew on the side, so that whoever comes often never waits.
 * Those who ask at the same time share one look-up. Used for API keys and printers.
 */
export interface RememberOptions {
  rememberMs: number
  /** Beyond these the one that was asked for longest ago is forgotten. */
  entriesMax: number
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

interface Remembered<Answer> {
  answer: Promise<Answer>
  askedAt: number
  refreshing: boolean
}

/** @returns the call for an answer; it throws what its look-up throws, which is not remembered. */
export function remember<Answer>({ rememberMs, entriesMax, now = () => performance.now() }: RememberOptions) {
  const remembered = new Map<string, Remembered<Answer>>()

  function put(name: string, entry: Remembered<Answer>): void {
    remembered.delete(name)
    remembered.set(name, entry)
    if (remembered.size <= entriesMax) return
    const [oldest] = remembered.keys()
    if (oldest !== undefined) remembered.delete(oldest)
  }

  /** Whatever came of it the old answer goes: the one who asks next is told what is wrong. */
  async function refresh(name: string, entry: Remembered<Answer>, lookUp: () => Promise<Answer>): Promise<void> {
    entry.refreshing = true
    const askedAt = now()
    const answer = lookUp()
    const [{ status }] = await Promise.allSettled([answer])
    if (remembered.get(name) !== entry) return
    if (status === 'fulfilled') remembered.set(name, { answer, askedAt, refreshing: false })
    else remembered.delete(name)
  }

  const recall = async (name: string, lookUp: () => Promise<Answer>): Promise<Answer> => {
    const known = remembered.get(name)
    const ageMs = known ? now() - known.askedAt : Number.POSITIVE_INFINITY
    if (known && ageMs < rememberMs) {
      put(name, known)
      if (ageMs >= rememberMs / 2 && !known.refreshing) void refresh(name, known, lookUp)
      return await known.answer
    }
    const entry = { askedAt: now(), answer: lookUp(), refreshing: false }
    put(name, entry)
    try {
      return await entry.answer
    } catch (error) {
      if (remembered.get(name) === entry) remembered.delete(name)
      throw error
    }
  }
  /** What is being looked up right now is not remembered either. */
  const forget = (name: string): void => void remembered.delete(name)
  return Object.assign(recall, { forget })
}
