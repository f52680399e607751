import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Rejects if the promise is not settled before the timeout. The underlying work continues, and its late result is
 * ignored.
 *
 * @throws Error with this message after the timeout; otherwise the rejection of the promise.
 */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>, message: string): Promise<T> {
  const end = new AbortController()
  const timeout = sleep(timeoutMs, undefined, { signal: end.signal }).then(() => {
    throw new Error(message)
  })
  timeout.catch(() => undefined)
  return await Promise.race([promise, timeout]).finally(() => end.abort())
}
