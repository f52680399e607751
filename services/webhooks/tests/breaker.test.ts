import { expect, test } from 'vitest'
import { createBreaker } from '../delivery/breaker.ts'

const SECOND = 1_000
const NOW = Date.UTC(2026, 0, 1)

function opened() {
  const breaker = createBreaker()
  for (let n = 0; n < 5; n++) breaker.unreachable(NOW, false)
  return breaker
}

test('it opens after 5 failures in a row, not after 4, and an answer in between begins the count anew', () => {
  const breaker = createBreaker()
  for (let n = 0; n < 4; n++) breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe('go')
  breaker.reached()
  for (let n = 0; n < 4; n++) breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe('go')
  breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe(NOW + 30 * SECOND)
})

test('who asks first waits until the rest is over and is the probe; the others wait until the probe is over', () => {
  const breaker = opened()
  expect(breaker.ask(NOW)).toBe(NOW + 30 * SECOND)
  expect(breaker.ask(NOW + SECOND)).toBe(NOW + 50 * SECOND)
  expect(breaker.ask(NOW + 30 * SECOND)).toBe('probe')
  expect(breaker.ask(NOW + 30 * SECOND)).toBe(NOW + 50 * SECOND)
})

test('a probe that fails doubles the rest, up to 10 minutes', () => {
  const breaker = opened()
  let now = NOW
  const rests: number[] = []
  for (let n = 0; n < 7; n++) {
    const until = breaker.ask(now)
    rests.push((Number(until) - now) / SECOND)
    now = Number(until)
    expect(breaker.ask(now)).toBe('probe')
    breaker.unreachable(now, true)
  }
  expect(rests).toEqual([30, 60, 120, 240, 480, 600, 600])
})

test('attempts that were under way when it opened lengthen nothing when they fail, and close it when they are answered', () => {
  const breaker = opened()
  breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe(NOW + 30 * SECOND)
  expect(breaker.reached()).toBe(true)
  expect(breaker.ask(NOW)).toBe('go')
  expect(breaker.reached()).toBe(false)
})

test('a probe that succeeds closes it, and the next rest is the first one again', () => {
  const breaker = opened()
  expect(breaker.ask(NOW + 30 * SECOND)).toBe('probe')
  expect(breaker.reached()).toBe(true)
  expect(breaker.isIdle()).toBe(true)
  for (let n = 0; n < 5; n++) breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe(NOW + 30 * SECOND)
})

test('a probe that is lost leaves its place to the next', () => {
  const breaker = opened()
  expect(breaker.ask(NOW + 30 * SECOND)).toBe('probe')
  breaker.probeLost()
  expect(breaker.ask(NOW + 31 * SECOND)).toBe('probe')
})
