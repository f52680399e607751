/** What the overview computes in the browser. */
import { expect, test } from 'vitest'
import type { Overview } from '../../src/api/gen/schema.ts'
import { countToday } from '../../src/features/overview/figures.ts'
import { addEnds, describeShares } from '../../src/features/overview/segments.ts'
import { describeMissing, describeNow } from '../../src/features/overview/summary.ts'

const HOUR_MS = 60 * 60_000
const WEEK_MS = 7 * 24 * HOUR_MS

test.each([
  ['20:47', '21:00', 21],
  ['20:12', '20:00', 20],
])(
  'today counts from midnight, the week before from its midnight until the nearest hour (%s)',
  (time, until, hours) => {
    const at = new Date(`2026-03-12T${time}:00Z`)
    const midnight = new Date('2026-03-12T00:00:00Z')
    const starts = Array.from({ length: 48 }, (_, n) => Date.parse('2026-03-12T20:00:00Z') - (47 - n) * HOUR_MS)
    const figures = {
      hours: starts.map((start) => ({
        start: new Date(start).toISOString(),
        printed: 2,
        failed: 1,
        waiting: 0,
        secondsToDone: null,
      })),
      weekBefore: starts.map((start) => ({ start: new Date(start - WEEK_MS).toISOString(), printed: 1 })),
      secondsToDone: null,
    }
    expect(countToday(figures, at, midnight)).toEqual({
      printed: 42,
      failed: 21,
      weekBefore: { printed: hours, until: new Date(`2026-03-05T${until}:00Z`) },
    })
  },
)

test('the shares of states are in words, and a short one is not rounded away', () => {
  const until = '2026-03-12T20:00:00.000Z'
  const segments = addEnds(
    [
      { state: 'online', start: '2026-03-11T20:00:00.000Z' },
      { state: 'offline', start: '2026-03-12T02:00:00.000Z' },
      { state: 'online', start: '2026-03-12T02:01:00.000Z' },
      // While the overview is read.
      { state: 'offline', start: '2026-03-12T20:00:00.001Z' },
    ],
    until,
  )
  expect(segments.map(({ end }) => end)).toEqual([segments[1]?.start, segments[2]?.start, until])
  expect(describeShares(segments)).toBe('online more than 99 %, offline less than 1 %')
})

const NOW = {
  waiting: { jobs: 3, isMinimum: false },
  printers: { online: 12, total: 12 },
  computers: { online: 0, total: 1 },
  missing: [],
} as unknown as Overview

test.each([
  [{}, '3 jobs wait or print. 12 of 12 printers and 0 of 1 computer are online.'],
  [{ waiting: { jobs: 1, isMinimum: false } }, /^1 job waits or prints\. /],
  [{ waiting: { jobs: 10_000, isMinimum: true } }, /^10.?000 or more jobs wait or print\. /],
  [{ waiting: null }, '12 of 12 printers and 0 of 1 computer are online.'],
  [{ printers: null, computers: null }, '3 jobs wait or print.'],
])('the state of everything is one line (%j)', (changes, line) => {
  expect(describeNow({ ...NOW, ...changes } as Overview)).toEqual(
    typeof line === 'string' ? line : expect.stringMatching(line),
  )
})

test('a service that does not answer is named by what is not shown', () => {
  expect(describeMissing(NOW)).toBe('')
  expect(describeMissing({ ...NOW, missing: ['statistics', 'events'] })).toBe(
    'Not shown, because a service does not answer: figures, the last 24 hours of printers. The page tries again.',
  )
})
