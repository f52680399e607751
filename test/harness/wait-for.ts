import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for a fact, not for time: retries until `assertion` does not throw, and returns its result.
 *
 * @throws the last error of the assertion after `limitMs`.
 */
export async function waitFor<T>(assertion: () => Promise<T> | T, limitMs = 20_000): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    try {
      return await assertion()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(20)
    }
  }
}
