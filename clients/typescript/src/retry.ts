/** The one place that decides which failures are repeated, and after which time. */
import { ApiError, ConnectionError, TimeoutError } from './errors.ts'

/** A longer `Retry-After`, such as that of the limit of test jobs per day, is an error at once. */
const RETRY_AFTER_MAX_SECONDS = 60
/** Doubled after each attempt. */
const BACKOFF_MS = { first: 500, longest: 15_000 }

/** Whether the same request can succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  if (!(error instanceof ApiError)) return false
  return error.status === 408 || error.status === 429 || error.status >= 500 || error.code === 'idempotency_in_progress'
}

/**
 * @param attempts the number of attempts so far.
 * @returns milliseconds to wait before the next attempt, or undefined if there must be none.
 */
export function getRetryDelayMs(error: unknown, attempts: number): number | undefined {
  if (!isTransient(error)) return undefined
  const backoffMs = Math.min(BACKOFF_MS.first * 2 ** (attempts - 1), BACKOFF_MS.longest)
  const jitteredMs = backoffMs * (0.5 + Math.random() / 2)
  const { retryAfterSeconds = 0 } = error as ApiError
  return retryAfterSeconds > RETRY_AFTER_MAX_SECONDS ? undefined : Math.max(retryAfterSeconds * 1000, jitteredMs)
}

/** @throws the reason of `signal` when it is aborted. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, durationMs)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
