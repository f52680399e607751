import { expect, test } from 'vitest'
import { createBreaker } from '../../delivery/breaker.ts'

const SECOND = 1_000
const NOW = Date.UTC(2026, 0, 1)

function opened() {
  const breaker = createBreaker()
  for (let n = 0; n < 5; n++) breaker.unreachable(NOW, false)
  return breaker
}

test('the breaker opens after 5 consecutive failures, not after 4; a response resets the count', () => {
  const breaker = createBreaker()
  for (let n = 0; n < 4; n++) breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe('go')
  breaker.reached()
  for (let n = 0; n < 4; n++) breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe('go')
  breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe(NOW + 30 * SECOND)
})

test('the first delivery waits for the end of the pause and is the probe; the others wait until the probe is over', () => {
  const breaker = opened()
  expect(breaker.ask(NOW)).toBe(NOW + 30 * SECOND)
  expect(breaker.ask(NOW + SECOND)).toBe(NOW + 50 * SECOND)
  expect(breaker.ask(NOW + 30 * SECOND)).toBe('probe')
  expect(breaker.ask(NOW + 30 * SECOND)).toBe(NOW + 50 * SECOND)
})

test('a failed probe doubles the pause, up to 10 minutes', () => {
  const breaker = opened()
  let now = NOW
  const pauses: number[] = []
  for (let n = 0; n < 7; n++) {
    const until = breaker.ask(now)
    pauses.push((Number(until) - now) / SECOND)
    now = Number(until)
    expect(breaker.ask(now)).toBe('probe')
    breaker.unreachable(now, true)
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600])
})

test('attempts that began before the breaker opened do not extend the pause when they fail, and close it when they are answered', () => {
  const breaker = opened()
  breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe(NOW + 30 * SECOND)
  expect(breaker.reached()).toBe(true)
  expect(breaker.ask(NOW)).toBe('go')
  expect(breaker.reached()).toBe(false)
})

test('a successful probe closes the breaker, and the next pause has the first length again', () => {
  const breaker = opened()
  expect(breaker.ask(NOW + 30 * SECOND)).toBe('probe')
  expect(breaker.reached()).toBe(true)
  expect(breaker.isIdle()).toBe(true)
  for (let n = 0; n < 5; n++) breaker.unreachable(NOW, false)
  expect(breaker.ask(NOW)).toBe(NOW + 30 * SECOND)
})

test('a lost probe is replaced by the next delivery', () => {
  const breaker = opened()
  expect(breaker.ask(NOW + 30 * SECOND)).toBe('probe')
  breaker.probeLost()
  expect(breaker.ask(NOW + 31 * SECOND)).toBe('probe')
})
