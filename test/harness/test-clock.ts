import type { Clock } from '@platen/runtime/clock.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
  advanceSeconds(seconds: number): void
}

/** A monotonic clock that moves only by `advance`. */
export function createTestClock(start = new Date('2026-01-01T00:00:00Z')): TestClock {
  let now = start.getTime()
  const advance = (ms: number) => {
    if (ms < 0) throw new Error('A test clock only moves forward.')
    now += ms
  }
  return {
    now: () => new Date(now),
    monotonicMs: () => now,
    advance,
    advanceSeconds: (seconds) => advance(seconds * 1000),
  }
}
