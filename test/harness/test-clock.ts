import type { Clock } from '@platen/runtime/clock.ts'

export interface TestClock extends Clock {
  advanceSeconds(seconds: number): void
}

/** Stands still until it is advanced. */
export function createTestClock(start = new Date('2026-01-01T00:00:00Z')): TestClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advanceSeconds(seconds) {
      now += seconds * 1000
    },
  }
}
