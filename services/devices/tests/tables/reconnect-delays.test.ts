import { expect, test } from 'vitest'
import { toReconnectDelays } from '../../agents/reconnect-delays.ts'

/** Delays in any second. */
const mostWithinSecond = (delays: number[]) =>
  Math.max(...delays.map((from) => delays.filter((ms) => ms >= from && ms < from + 1_000).length))

test('at most 500 agents of a stopping replica reconnect within any second', () => {
  const delays = toReconnectDelays(2_000, 50_000)
  expect([delays.length, mostWithinSecond(delays)]).toEqual([2_000, 500])
})

test('the agents of a stopping replica have at most half of its drain time', () => {
  expect(Math.max(...toReconnectDelays(10_000, 8_000))).toBeLessThan(4_000)
})
