/** The parts of the overview that are computed without a service. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { JobStatisticsSchema } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { expect, test } from 'vitest'
import { toFigures } from '../../overview/figures.ts'
import { toSegments } from '../../overview/strip.ts'

const HOUR_MS = 60 * 60_000
const NOW = new Date('2026-03-12T20:47:00Z')
const SINCE = new Date('2026-03-11T20:47:00Z')
const at = (time: string) => new Date(`2026-03-12T${time}Z`)

const entry = (start: string, counts: Record<string, number>) =>
  create(JobStatisticsSchema, {
    start: timestampFromDate(new Date(start)),
    counts: Object.entries(counts).map(([state, jobs]) => ({ state, reason: '', jobs: BigInt(jobs) })),
  })

test('each of the last 48 hours has its counts, the jobs that were unfinished at its end, and the hour of the week before', () => {
  const { hours, weekBefore } = toFigures({
    now: NOW,
    hours: [
      entry('2026-03-12T18:00:00Z', { queued: 9, done: 4, error: 1, expired: 2, cancelled: 1 }),
      entry('2026-03-12T20:00:00Z', { queued: 3, done: 2 }),
    ],
    weekBefore: [entry('2026-03-05T20:00:00Z', { queued: 8, done: 7 })],
    done: undefined,
    waiting: 2,
  })
  expect(hours.map(({ start }) => Date.parse(start))).toEqual(
    Array.from({ length: 48 }, (_, n) => Date.parse('2026-03-12T20:00:00Z') - (47 - n) * HOUR_MS),
  )
  expect(hours.slice(-4)).toMatchObject([
    { printed: 0, failed: 0, waiting: 0 },
    { printed: 4, failed: 3, waiting: 1 },
    { printed: 0, failed: 0, waiting: 1 },
    { printed: 2, failed: 0, waiting: 2 },
  ])
  expect(weekBefore.at(-1)).toEqual({ start: '2026-03-05T20:00:00.000Z', printed: 7 })
  expect(weekBefore.at(-2)?.printed).toBe(0)
})

const ONLINE = { changes: [], present: 'online' }

test.each([
  ['a printer without changes has its present state', { changes: [], present: 'stopped' }, ONLINE, ['stopped']],
  [
    'a computer was in the other state before its first change',
    ONLINE,
    { changes: [{ at: at('10:00'), state: 'offline' }], present: 'offline' },
    ['online', 'unknown'],
  ],
  [
    'the state of a printer before its first change is not known, and after its removal neither',
    {
      changes: [
        { at: at('10:00'), state: 'online' },
        { at: at('11:00'), state: 'removed' },
      ],
      present: 'unknown',
    },
    ONLINE,
    ['unknown', 'online', 'unknown'],
  ],
  [
    'a change at the same time as another replaces it',
    {
      changes: [
        { at: new Date('2026-03-10T10:00:00Z'), state: 'online' },
        { at: at('10:00'), state: 'offline' },
        { at: at('10:00'), state: 'stopped' },
      ],
      present: 'stopped',
    },
    ONLINE,
    ['online', 'stopped'],
  ],
])('%s', (_, printer, computer, states) => {
  const segments = toSegments(printer, computer, SINCE)
  expect(segments.map(({ state }) => state)).toEqual(states)
  expect(segments[0]?.start).toBe(SINCE.toISOString())
})
