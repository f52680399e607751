import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Rejects if the promise takes longer than `limitMs`. The underlying work continues; its late result is ignored.
 *
 * @throws Error with the message `late` after the timeout; otherwise the rejection of the promise.
 */
export async function withTimeout<T>(limitMs: number, promised: Promise<T>, late: string): Promise<T> {
  const over = new AbortController()
  const limit = sleep(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(late)
  })
  limit.catch(() => undefined)
  return await Promise.race([promised, limit]).finally(() => over.abort())
}
