import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { findTurns } from '../../destinations/find-turns.ts'

const NOW = new Date('2026-03-02T12:00:00Z')

/** A printer: `0` is available, any other number has been unavailable for so many seconds. */
const toPrinter = (seconds: number, n: number) => ({
  id: n,
  reason: seconds === 0 ? null : 'printer-waits',
  since: seconds === 0 ? null : new Date(NOW.getTime() - seconds * 1000),
})

const find = (policy: 'first' | 'any', standbyAfter: number, seconds: number[], enabled = true) =>
  findTurns({ enabled, policy, standbyAfter, printers: seconds.map(toPrinter) }, NOW).map(({ id }) => id)

test.each<[policy: 'first' | 'any', standbyAfter: number, unavailable: number[], turns: number[]]>([
  ['first', 30, [0, 0], [0]],
  ['first', 30, [29.999, 0], []],
  ['first', 30, [30, 0], [1]],
  ['first', 30, [30, 29, 0], []],
  ['first', 30, [40, 30, 0, 0], [2]],
  ['first', 0, [1, 0], [1]],
  ['first', 30, [60, 60], []],
  ['any', 30, [0, 1, 0], [0, 2]],
  ['any', 0, [1, 1], []],
])('policy %s with standby %i, unavailable for %j s: %j', (policy, standbyAfter, unavailable, turns) => {
  proves('destination.first', 'destination.standby', 'destination.any')
  expect(find(policy, standbyAfter, unavailable)).toEqual(turns)
})

test('a disabled destination gives no turn', () => {
  proves('destination.disabled')
  for (const policy of ['first', 'any'] as const) expect(find(policy, 0, [0, 0], false)).toEqual([])
})

test('a printer of which it is not known since when it is unavailable is not passed', () => {
  const printers = [
    { reason: 'printer-removed', since: null },
    { reason: null, since: null },
  ]
  expect(findTurns({ enabled: true, policy: 'first', standbyAfter: 0, printers }, NOW)).toEqual([])
})
