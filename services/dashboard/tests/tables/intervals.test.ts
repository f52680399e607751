import { expect, test } from 'vitest'
import { fillIntervals, toStarts } from '../../src/features/usage/statistics/intervals.ts'
import { toDeliveryCounts } from '../../src/features/webhooks/page/delivery-counts.ts'

const NOW = Date.parse('2026-03-02T09:30:00.000Z')

test.each([
  ['hour' as const, 24, '2026-03-01T10:00:00.000Z', '2026-03-02T09:00:00.000Z'],
  ['day' as const, 30, '2026-02-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
])('a plot by %s has the last %d intervals, and the present one', (interval, count, first, last) => {
  const starts = toStarts(interval, NOW)
  expect([starts.length, starts[0], starts.at(-1)]).toEqual([count, first, last])
})

test('an entry is plotted at its interval, one before the plot is not, and an interval without one is empty', () => {
  const starts = toStarts('hour', NOW).slice(-2)
  const [present, before] = [{ start: '2026-03-02T09:00:00.000Z' }, { start: '2026-03-01T09:00:00.000Z' }]
  expect(fillIntervals(starts, [present, before])).toEqual([
    { start: '2026-03-02T08:00:00.000Z', entry: undefined },
    { start: present.start, entry: present },
  ])
})

test('failed and missed deliveries are one number; intervals without deliveries have 0, and those that are not counted have none', () => {
  const starts = toStarts('hour', NOW).slice(-4)
  const partial = { start: '2026-03-02T07:00:00.000Z', pending: 1, succeeded: 2, failed: 3, missed: 4 }
  const counts = toDeliveryCounts(starts, { data: [partial], completeSince: '2026-03-02T07:20:00.000Z' })
  expect(counts.map(({ succeeded, failedOrMissed, pending }) => [succeeded, failedOrMissed, pending])).toEqual([
    [null, null, null],
    [2, 7, 1],
    [0, 0, 0],
    [0, 0, 0],
  ])
})
