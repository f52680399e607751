import { expect, test } from 'vitest'
import { createCache } from '../../cache.ts'

/** Look-ups that the test resolves. */
function createLookUps({ max = 10, maxBytes }: { max?: number; maxBytes?: number } = {}) {
  const clock = { now: 1 }
  const lookUps: PromiseWithResolvers<string>[] = []
  const cache = createCache<string>({
    ttlMs: 1_000,
    max,
    now: () => clock.now,
    ...(maxBytes && { maxBytes, getBytes: (value: string) => value.length }),
  })
  const get = (key: string) =>
    cache.get(key, () => {
      const lookUp = Promise.withResolvers<string>()
      lookUps.push(lookUp)
      return lookUp.promise
    })
  async function load(key: string, value: string) {
    const result = get(key)
    lookUps.at(-1)?.resolve(value)
    await result
  }
  return { clock, lookUps, cache, get, load }
}

test('an entry is used for less than its lifetime, which begins with the look-up', async () => {
  const { clock, lookUps, get } = createLookUps()
  const first = get('a')
  clock.now += 499
  lookUps[0]?.resolve('1')
  expect([await first, await get('a'), lookUps.length]).toEqual(['1', '1', 1])
  clock.now += 501
  void get('a')
  expect(lookUps).toHaveLength(2)
})

test('an entry in use is looked up again once after half of its lifetime, and its calls do not wait', async () => {
  const { clock, lookUps, get, load } = createLookUps()
  await load('a', '1')
  clock.now += 501
  expect([await get('a'), await get('a'), lookUps.length]).toEqual(['1', '1', 2])
  lookUps[1]?.resolve('2')
  await lookUps[1]?.promise
  clock.now += 501
  expect(await get('a')).toBe('2')
})

test('an entry whose second look-up fails is used until its end; one that was deleted meanwhile does not return', async () => {
  const { clock, lookUps, cache, get, load } = createLookUps()
  await load('a', '1')
  clock.now += 998
  await get('a')
  lookUps[1]?.reject(new Error('revoked'))
  await expect(lookUps[1]?.promise).rejects.toThrow()
  expect(await get('a')).toBe('1')
  cache.delete('a')
  lookUps[2]?.resolve('3')
  await lookUps[2]?.promise
  void get('a')
  expect(lookUps).toHaveLength(4)
})

test('concurrent calls share a look-up, and a failure is not cached', async () => {
  const { lookUps, get } = createLookUps()
  const both = Promise.allSettled([get('a'), get('a')])
  lookUps[0]?.reject(new Error('disabled'))
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = get('a')
  lookUps[1]?.resolve('2')
  expect([await next, lookUps.length]).toEqual(['2', 2])
})

test('an entry that is deleted during its look-up is looked up again, and its failure leaves the newer one', async () => {
  const { lookUps, cache, get } = createLookUps()
  const older = get('a')
  cache.delete('a')
  const newer = get('a')
  lookUps[0]?.reject(new Error('too old'))
  lookUps[1]?.resolve('2')
  await expect(older).rejects.toThrow('too old')
  expect([await newer, await get('a'), lookUps.length]).toEqual(['2', '2', 2])
})

test('beyond the limit the least recently used entry is deleted', async () => {
  const { lookUps, get, load } = createLookUps({ max: 2 })
  await load('a', '1')
  await load('b', '1')
  await get('a')
  await load('c', '1')
  await get('a')
  expect(lookUps).toHaveLength(3)
  void get('b')
  expect(lookUps).toHaveLength(4)
})

test('beyond the bytes of all entries the least recently used ones are deleted, and a larger value is not cached', async () => {
  const { clock, lookUps, get, load } = createLookUps({ maxBytes: 4 })
  await load('a', 'xx')
  await load('b', 'xx')
  expect(await get('a')).toBe('xx')
  await load('c', 'x')
  await get('a')
  await load('d', 'xxxxx')
  const before = lookUps.length
  await Promise.all(['a', 'c'].map(get))
  expect(lookUps).toHaveLength(before)
  for (const key of ['b', 'd']) void get(key)
  expect(lookUps).toHaveLength(before + 2)
  clock.now += 1_000
  void get('a')
  expect(lookUps).toHaveLength(before + 3)
})
