import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What is promised, if it comes in time. It goes on when it is late, and nobody hears of it.
 *
 * @throws Error with `late` as its message when it takes longer than this, and what the promise is rejected with.
 */
export async function withTimeout<T>(limitMs: number, promised: Promise<T>, late: string): Promise<T> {
  const over = new AbortController()
  const limit = sleep(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(late)
  })
  limit.catch(() => undefined)
  return await Promise.race([promised, limit]).finally(() => over.abort())
}
