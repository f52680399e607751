import { expect, test } from 'vitest'
import { fillIntervals, toStarts } from '../../src/statistics/intervals.ts'

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
