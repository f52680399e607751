import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { remember } from '../../remember.ts'

/** Look-ups that are answered when the test says so. */
function createWorld({ entriesMax = 10 } = {}) {
  const clock = { now: 0 }
  const asked: { name: string; resolve(answer: string): void; reject(error: Error): void }[] = []
  const recall = remember<string>({ rememberMs: 1_000, entriesMax, now: () => clock.now })
  const ask = (name: string) =>
    recall(name, () => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      asked.push({ name, resolve, reject })
      return promise
    })
  async function know(name: string, answer: string) {
    const first = ask(name)
    asked.at(-1)?.resolve(answer)
    await first
  }
  return { clock, asked, ask, know }
}

test('those who ask at the same time share one look-up', async () => {
  const { asked, ask } = createWorld()
  const both = Promise.all([ask('a'), ask('a')])
  asked[0]?.resolve('1')
  expect(await both).toEqual(['1', '1'])
  expect(asked).toHaveLength(1)
})

test('an answer is remembered for its time, counted from before it was asked for', async () => {
  const { clock, asked, ask } = createWorld()
  const first = ask('a')
  clock.now = 400
  asked[0]?.resolve('1')
  await first
  clock.now = 499
  expect(await ask('a')).toBe('1')
  expect(asked).toHaveLength(1)
  clock.now = 1_000
  const second = ask('a')
  expect(asked).toHaveLength(2)
  asked[1]?.resolve('2')
  expect(await second).toBe('2')
})

test('in the second half of its time an answer is looked up once on the side, and given at once meanwhile', async () => {
  const { clock, asked, ask, know } = createWorld()
  await know('a', '1')
  clock.now = 500
  expect(await ask('a')).toBe('1')
  expect(await ask('a')).toBe('1')
  expect(asked).toHaveLength(2)
  asked[1]?.resolve('2')
  await setImmediate()
  expect(await ask('a')).toBe('2')
  clock.now = 1_499
  expect(await ask('a')).toBe('2')
})

test('after a look-up on the side that failed the next one asks again and is told why', async () => {
  const { clock, asked, ask, know } = createWorld()
  await know('a', '1')
  clock.now = 500
  await ask('a')
  asked[1]?.reject(new Error('disabled'))
  await setImmediate()
  const next = ask('a')
  asked[2]?.reject(new Error('disabled'))
  await expect(next).rejects.toThrow('disabled')
})

test('a failure is not remembered', async () => {
  const { asked, ask } = createWorld()
  const failed = ask('a')
  asked[0]?.reject(new Error('away'))
  await expect(failed).rejects.toThrow('away')
  const second = ask('a')
  asked[1]?.resolve('1')
  expect(await second).toBe('1')
})

test('beyond the limit the answer that was asked for longest ago is forgotten', async () => {
  const { asked, ask, know } = createWorld({ entriesMax: 2 })
  await know('a', '1')
  await know('b', '1')
  await ask('a')
  await know('c', '1')
  await ask('a')
  expect(asked).toHaveLength(3)
  void ask('b')
  expect(asked).toHaveLength(4)
})
