import { expect, test } from 'vitest'
import { createBatches, createWriteBatches } from '../batches.ts'

/** Items are texts; the key of one is its first letter. Batches are kept as they came. */
function createWorld(run: (items: string[]) => Map<string, string> = answer) {
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

test('what is asked at one time goes out in one batch, up to the limit, and the rest in the next', async () => {
  const { batches, askAll } = createWorld()
  await askAll('a', 'b', 'c')
  await askAll('a', 'b', 'c', 'd')
  expect(batches).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], ['d']])
})

test('of two items with one key the second goes out in a later batch, and each has its own result', async () => {
  const { batches, askAll } = createWorld()
  const results = await askAll('a1', 'b', 'a2')
  expect(batches).toEqual([['a1', 'b'], ['a2']])
  expect(results).toMatchObject([{ value: 'a1!' }, { value: 'b!' }, { value: 'a2!' }])
})

test('a batch that fails fails each of its items, and the next one is served', async () => {
  const { askAll } = createWorld((items) => {
    if (items.includes('b')) throw new Error('away')
    return answer(items)
  })
  expect(await askAll('a', 'b')).toMatchObject([{ reason: { message: 'away' } }, { reason: { message: 'away' } }])
  expect(await askAll('a')).toMatchObject([{ value: 'a!' }])
})

test('an item that its batch has no result for fails alone', async () => {
  const { askAll } = createWorld(() => new Map([['a', 'a!']]))
  expect(await askAll('a', 'b')).toMatchObject([{ value: 'a!' }, { status: 'rejected' }])
})

test('what is only written is written together, and fails together', async () => {
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
  const failed = { status: 'rejected', reason: { message: 'away' } }
  expect(await Promise.allSettled(['bad', 'c'].map(write))).toMatchObject([failed, failed])
})
