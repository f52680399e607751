import { expect, onTestFinished, test, vi } from 'vitest'
import { pauseMs } from '../../backoff.ts'

test.each([
  [0, 1_000],
  [1, 2_000],
  [5, 32_000],
  [6, 60_000],
  [500, 60_000],
])('the pause after %d failures is random between 0 and %d ms', (failures, maximumMs) => {
  const random = vi.spyOn(Math, 'random')
  onTestFinished(() => random.mockRestore())
  for (const fraction of [0, 0.5, 0.999]) {
    random.mockReturnValue(fraction)
    expect(pauseMs(failures, { baseMs: 1_000, maxMs: 60_000 })).toBe(fraction * maximumMs)
  }
})
