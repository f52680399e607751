import { expect, test } from 'vitest'
import { createTurns } from '../../turns.ts'

/** Starts work whose end the test controls. */
function startTurns(options: Parameters<typeof createTurns>[0]) {
  const inTurn = createTurns(options)
  const running: { name: string; end(): void }[] = []
  const begin = (owner: string, name: string) =>
    inTurn(owner, () => new Promise<void>((resolve) => running.push({ name, end: resolve })))
  const names = () => running.map(({ name }) => name)
  /** Ends the oldest work. */
  const endOne = async () => {
    running.shift()?.end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begin, names, endOne }
}

test('an owner that calls later waits for one call of each other owner, not for all of them', async () => {
  const { begin, names, endOne } = startTurns({ atOnce: 1 })
  for (let n = 1; n <= 3; n++) void begin('first', `first ${n}`)
  void begin('second', 'second 1')
  await new Promise((resolve) => setImmediate(resolve))
  await endOne()
  expect(names()).toEqual(['second 1'])
  await endOne()
  expect(names()).toEqual(['first 2'])
})

test('an owner has at most its share of what runs at once', async () => {
  const { begin, names } = startTurns({ atOnce: 3, perOwner: 2 })
  for (let n = 1; n <= 3; n++) void begin('first', `first ${n}`)
  void begin('second', 'second 1')
  await new Promise((resolve) => setImmediate(resolve))
  expect(names()).toEqual(['first 1', 'first 2', 'second 1'])
})

test('work that fails gives its turn to the next one', async () => {
  const inTurn = createTurns({ atOnce: 1 })
  await expect(inTurn('one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await inTurn('one', async () => 'next')).toBe('next')
})
