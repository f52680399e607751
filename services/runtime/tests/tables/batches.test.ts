import { expect, test } from 'vitest'
import { createBatches, createWriteBatches } from '../../batches.ts'

/** Items are texts; the key of an item is its first letter. `batches` records each call of `run`. */
function createTestBatches(run: (items: string[]) => Map<string, string> = answer) {
  const batches: string[][] = []
  const ask = createBatches<string, string>({
    restMs: () => 1,
    maxItems: 3,
    keyOf: (item) => item.slice(0, 1),
    run: async (items) => {
      batches.push(items)
      return run(items)
    },
  })
  return { batches, askAll: (...items: string[]) => Promise.allSettled(items.map(ask)) }
}

const answer = (items: string[]) => new Map(items.map((item) => [item.slice(0, 1), `${item}!`]))
const rejected = { status: 'rejected', reason: { message: 'away' } }

test('concurrent items share a batch up to its limit; the next item goes into the next batch', async () => {
  const { batches, askAll } = createTestBatches()
  await askAll('a', 'b', 'c')
  await askAll('a', 'b', 'c', 'd')
  expect(batches).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], ['d']])
})

test('the second of two items with one key goes into a later batch and has its own result', async () => {
  const { batches, askAll } = createTestBatches()
  expect(await askAll('a1', 'b', 'a2')).toMatchObject([{ value: 'a1!' }, { value: 'b!' }, { value: 'a2!' }])
  expect(batches).toEqual([['a1', 'b'], ['a2']])
})

test('a failed batch fails its items and no later batch; an item without a result fails alone', async () => {
  const { askAll } = createTestBatches((items) => {
    if (items.includes('b')) throw new Error('away')
    return new Map([['a', 'a!']])
  })
  expect(await askAll('a', 'b')).toMatchObject([rejected, rejected])
  expect(await askAll('a', 'c')).toMatchObject([{ value: 'a!' }, { status: 'rejected' }])
})

test('a write batch is written together and fails together', async () => {
  const written: string[][] = []
  const write = createWriteBatches<string>({
    restMs: () => 1,
    maxItems: 3,
    keyOf: (item) => item,
    async write(items) {
      if (items.includes('bad')) throw new Error('away')
      written.push(items)
    },
  })
  await Promise.all(['a', 'b'].map(write))
  expect(written).toEqual([['a', 'b']])
  expect(await Promise.allSettled(['bad', 'c'].map(write))).toMatchObject([rejected, rejected])
})
