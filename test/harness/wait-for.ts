import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for a fact, never for time: asks again until `assertion` no longer throws, and returns what it returned.
 *
 * @throws what the assertion threw last, after `limitMs`.
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
