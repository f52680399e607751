import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createBatches } from '../../batches.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

test('after a quiet time a batch starts at once, and the next one a rest later, however long the first takes', async () => {
  const begin = performance.now()
  const batches: [atMs: number, ...items: string[]][] = []
  const ask = createBatches<string, string>({
    restMs: (items) => 10 * items,
    maxItems: 2,
    keyOf: (item) => item,
    run: async (items) => {
      batches.push([performance.now() - begin, ...items])
      return await new Promise(() => undefined)
    },
  })
  const askAll = (...items: string[]) => void items.map(ask)
  askAll('a', 'b', 'c')
  await vi.advanceTimersByTimeAsync(19)
  askAll('d')
  await vi.advanceTimersByTimeAsync(100)
  askAll('e')
  await vi.advanceTimersByTimeAsync(5)
  askAll('f')
  await vi.advanceTimersByTimeAsync(100)
  expect(batches).toEqual([
    [0, 'a', 'b'],
    [20, 'c', 'd'],
    [119, 'e'],
    [129, 'f'],
  ])
})
