import { expect, test } from 'vitest'
import { findOwner } from '../../rate-limit/owner.ts'
import { createSlidingLog } from '../../rate-limit/sliding-log.ts'
import { random } from './cuts.ts'

test('whenever requests come, no second has more than the limit, and none is refused that would fit', () => {
  const next = random(7)
  let at = 0
  const log = createSlidingLog(20, () => at)
  const accepted: number[] = []
  for (let n = 0; n < 20_000; n++) {
    at += next(60)
    const inWindow = accepted.filter((time) => time > at - 1_000).length
    const verdict = log.take('key')
    expect(verdict.accepted).toBe(inWindow < 20)
    expect(verdict.remaining).toBe(verdict.accepted ? 19 - inWindow : 0)
    if (!verdict.accepted) continue
    accepted.push(at)
    if (accepted.length > 40) accepted.shift()
  }
})

test('a key that was idle for a second is forgotten as others come', () => {
  let at = 0
  const log = createSlidingLog(20, () => at)
  for (let n = 0; n < 1_000; n++) log.take(`a${n}`)
  expect(log.size).toBe(1_000)
  at = 999
  for (let n = 0; n < 500; n++) log.take(`b${n}`)
  expect(log.size).toBe(1_500)
  at = 1_000
  for (let n = 0; n < 500; n++) log.take(`b${n}`)
  expect(log.size).toBe(500)
})

test('beyond the most keys the one that was used longest ago starts anew', () => {
  const log = createSlidingLog(1, () => 0, 3)
  for (const key of ['a', 'b', 'c']) log.take(key)
  expect(log.take('a').accepted).toBe(false)
  log.take('d')
  expect(log.size).toBeLessThanOrEqual(3)
  expect(log.take('c').accepted).toBe(false)
  expect(log.take('a').accepted).toBe(true)
})

test('keys are spread evenly over replicas, and only those of one that goes find another owner', () => {
  const replicas = ['r1', 'r2', 'r3', 'r4']
  const keys = Array.from({ length: 4_000 }, (_, n) => `key-${n}`)
  const before = keys.map((key) => findOwner(key, replicas))
  for (const replica of replicas) {
    const share = before.filter((owner) => owner === replica).length
    expect(share).toBeGreaterThan(850)
    expect(share).toBeLessThan(1_150)
  }
  expect(keys.map((key) => findOwner(key, replicas.toReversed()))).toEqual(before)
  const after = keys.map((key) => findOwner(key, ['r1', 'r2', 'r4']))
  for (const [n, owner] of before.entries()) if (owner !== 'r3') expect(after[n]).toBe(owner)
})
