/** Content and start of batches, by a clock of the test. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type BatchesOptions, createBatches } from '../../batches.ts'
import { ApiError } from '../../errors.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

const AT_ONCE = 8

/** Batches that the test ends. An item is its own key. */
function createHeldBatches(options: Partial<BatchesOptions<string, string>> = {}) {
  const begin = performance.now()
  const batches: [atMs: number, ...items: string[]][] = []
  const under: { end(): void; fail(error: Error): void }[] = []
  const ask = createBatches<string, string>({
    everyMs: 10,
    maxItems: 2,
    getKey: (item) => item,
    run: (items) => {
      batches.push([performance.now() - begin, ...items])
      return new Promise((resolve, reject) =>
        under.push({ end: () => resolve(new Map(items.map((item) => [item, item]))), fail: reject }),
      )
    },
    ...options,
  })
  return {
    batches,
    under,
    askAll: (...items: string[]) => Promise.allSettled(items.map(ask)),
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

test('after an idle time a batch starts at once, and the next ones at the interval, however long the first takes', async () => {
  const { batches, askAll, pass } = createHeldBatches()
  void askAll('a', 'b', 'c')
  await pass(9)
  void askAll('d')
  await pass(100)
  void askAll('e')
  await pass(5)
  void askAll('f')
  await pass(100)
  expect(batches).toEqual([
    [0, 'a', 'b'],
    [10, 'c', 'd'],
    [109, 'e'],
    [119, 'f'],
  ])
})

test('at most 8 batches run; when one ends the next starts with all waiting items', async () => {
  const { batches, under, askAll, pass } = createHeldBatches()
  for (let n = 0; n <= AT_ONCE; n++) {
    void askAll(`${n}`)
    await pass(10)
  }
  void askAll('more', 'last')
  await pass(1_000)
  expect(batches).toHaveLength(AT_ONCE)
  under[3]?.end()
  await pass(0)
  expect(batches.slice(AT_ONCE).map(([, ...items]) => items)).toEqual([['8', 'more']])
  under[0]?.fail(new ApiError('service_unavailable', 'away'))
  await pass(10)
  expect(batches.slice(AT_ONCE).map(([, ...items]) => items)).toEqual([['8', 'more'], ['last']])
})

test('owners of waiting items are served round-robin, also from batch to batch', async () => {
  const { batches, askAll, pass } = createHeldBatches({ maxItems: 3, getOwner: (item) => item.slice(0, 1) })
  void askAll('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1')
  await pass(5)
  void askAll('d1')
  await pass(100)
  expect(batches.map(([, ...items]) => items)).toEqual([
    ['a1', 'b1', 'c1'],
    ['a2', 'b2', 'd1'],
    ['a3', 'a4', 'a5'],
  ])
})

test('100,000 waiting items of an owner do not delay another owner, and a batch does not walk them', async () => {
  const getKey = vi.fn((item: string) => item.slice(0, 2))
  const { batches, askAll, pass } = createHeldBatches({ maxItems: 4, getOwner: (item) => item.slice(0, 1), getKey })
  void askAll(...Array.from({ length: 100_000 }, (_, n) => `a${n % 3} ${n}`))
  void askAll('b1')
  getKey.mockClear()
  await pass(0)
  expect(batches.map(([, ...items]) => items)).toEqual([['a0 0', 'b1', 'a1 1', 'a2 2']])
  await pass(10)
  expect(batches[1]).toEqual([10, 'a0 3', 'a1 4', 'a2 5'])
  expect(getKey.mock.calls.length).toBeLessThan(20)
})

test('beyond the waiting items of an owner, or of all owners, an item fails at once', async () => {
  const waitingMax = { owner: 2, all: 3 }
  const { batches, askAll, pass } = createHeldBatches({ maxItems: 9, getOwner: (item) => item.slice(0, 1), waitingMax })
  const full = { status: 'rejected', reason: { code: 'service_unavailable' } }
  void askAll('a1', 'a2')
  expect(await askAll('a3')).toMatchObject([full])
  void askAll('b1')
  expect(await askAll('c1')).toMatchObject([full])
  await pass(0)
  expect(batches).toEqual([[0, 'a1', 'b1', 'a2']])
  void askAll('a3', 'a4')
  await pass(10)
  expect(batches[1]).toEqual([10, 'a3', 'a4'])
})

test('a batch has at most `maxBytes`; a larger item is alone', async () => {
  const { batches, askAll, pass } = createHeldBatches({ maxItems: 9, maxBytes: 4, getBytes: (item) => item.length })
  void askAll('aa', 'bb', 'c', 'dddd', 'eeeeeeeee', 'f')
  await pass(100)
  expect(batches.map(([, ...items]) => items)).toEqual([['aa', 'bb'], ['c'], ['dddd'], ['eeeeeeeee'], ['f']])
})

test('an item that waits longer than allowed fails with service_unavailable in its turn, and the next item takes the turn', async () => {
  const { batches, under, askAll, pass } = createHeldBatches({ maxItems: 1, everyMs: 0, waitMaxMs: 999 })
  for (let n = 0; n < AT_ONCE; n++) {
    void askAll(`${n}`)
    await pass(0)
  }
  const late = askAll('late')
  await pass(1)
  const inTime = askAll('in time')
  await pass(999)
  under[0]?.end()
  await pass(0)
  under[AT_ONCE]?.end()
  expect(await late).toMatchObject([{ status: 'rejected', reason: { code: 'service_unavailable' } }])
  expect(await inTime).toMatchObject([{ status: 'fulfilled' }])
  expect(batches.slice(AT_ONCE)).toEqual([[1_000, 'in time']])
})
