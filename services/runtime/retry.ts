import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the time has passed or the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal?.aborted) throw error
  })
}

export interface RetryOptions {
  pauseMs: number
  /** @param failures counts from 1. @returns whether the operation is repeated. */
  repeats?: (error: unknown, failures: number) => boolean
  /** Ends the pause and the repetition. */
  signal?: AbortSignal
}

/** Repeats an operation that fails. @throws the last error. */
export async function retry<T>(
  operation: () => Promise<T>,
  { pauseMs, repeats = () => true, signal }: RetryOptions,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await operation()
    } catch (error) {
      if (!repeats(error, failures)) throw error
      await pause(pauseMs, signal)
      if (signal?.aborted) throw error
    }
  }
}
