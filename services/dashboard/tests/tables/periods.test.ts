import { expect, test } from 'vitest'
import type { FeedEvent, Printer } from '../../src/api/resources.ts'
import { mergeLoaded, toPeriods } from '../../src/features/devices/printer/periods.ts'

const NOW = {
  displayName: 'Label 2',
  state: 'online',
  enabled: true,
  stateDetail: '',
  stateReasons: [],
} as never as Printer

const at = (minute: number) => `2026-03-02T10:${String(minute).padStart(2, '0')}:00.000Z`
const printerEvent = (minute: number, what: string, changes: object = {}) =>
  ({ type: `printer.${what}`, timestamp: at(minute), data: { ...NOW, ...changes } }) as never as FeedEvent
const computerEvent = (minute: number, state: 'online' | 'offline') =>
  ({
    type: `computer.${state}`,
    timestamp: at(minute),
    data: { name: 'till', hostname: 'till', state },
  }) as never as FeedEvent

/** Oldest first: "0-5 offline". */
const describe = (...events: FeedEvent[]) =>
  toPeriods(events, NOW)
    .toReversed()
    .map(({ state, isEnabled, reason, from, to }) => {
      const minute = (time: string | null) => (time === null ? '' : new Date(time).getUTCMinutes())
      return `${minute(from)}-${minute(to)} ${state}${isEnabled ? '' : ' disabled'}${reason && `: ${reason}`}`
    })

test.each<[rule: string, events: FeedEvent[], periods: string[]]>([
  ['a printer without events is as it is now', [], ['- online']],
  [
    'each period ends when the next one begins',
    [printerEvent(0, 'added'), printerEvent(5, 'offline', { state: 'offline' }), printerEvent(7, 'online')],
    ['0-5 online', '5-7 offline', '7- online'],
  ],
  [
    'a change of other fields does not end a period',
    [printerEvent(0, 'added'), printerEvent(5, 'updated', { displayName: 'Bench' })],
    ['0- online'],
  ],
  [
    'reasons and the switch are parts of the state',
    [
      printerEvent(0, 'added'),
      printerEvent(1, 'updated', { stateReasons: ['media-empty'] }),
      printerEvent(2, 'updated', { stateDetail: 'Tray 1', enabled: false }),
    ],
    ['0-1 online', '1-2 online: out of paper', '2- online disabled: Tray 1'],
  ],
  [
    'without its computer the state is unknown, and after it what it was',
    [printerEvent(0, 'added'), computerEvent(3, 'offline'), computerEvent(8, 'online')],
    ['0-3 online', '3-8 unknown: computer till offline', '8- online'],
  ],
  [
    'a printer without events of its own has those of its computer',
    [computerEvent(3, 'offline'), computerEvent(8, 'online')],
    ['3-8 unknown: computer till offline', '8- online'],
  ],
  [
    'a change without the computer, whose event has no state of the printer, ends no period',
    [
      printerEvent(0, 'added'),
      computerEvent(3, 'offline'),
      printerEvent(5, 'updated', { state: 'unknown' }),
      computerEvent(8, 'online'),
    ],
    ['0-3 online', '3-8 unknown: computer till offline', '8- online'],
  ],
  [
    'a printer that was added before its computer was online is as it is now',
    [printerEvent(0, 'added', { state: 'unknown' }), computerEvent(1, 'online')],
    ['0- online'],
  ],
  [
    'the time before the printer is seen is left out',
    [computerEvent(1, 'online'), printerEvent(4, 'online')],
    ['4- online'],
  ],
  [
    'of changes at the same time the last one counts',
    [printerEvent(0, 'added'), printerEvent(2, 'removed'), printerEvent(2, 'added', { enabled: false })],
    ['0-2 online', '2- online disabled'],
  ],
  [
    'a printer that returns was removed meanwhile',
    [printerEvent(0, 'added'), printerEvent(4, 'removed'), printerEvent(6, 'added')],
    ['0-4 online', '4-6 removed', '6- online'],
  ],
])('%s', (_, events, periods) => {
  expect(describe(...events)).toEqual(periods)
})

test('events are merged only from where each list is loaded', () => {
  const printer = { events: [printerEvent(9, 'online'), printerEvent(5, 'offline')], hasMore: true }
  const computer = { events: [computerEvent(7, 'online'), computerEvent(2, 'offline')], hasMore: false }
  const minutes = (...lists: (typeof printer)[]) =>
    mergeLoaded(lists).map(({ timestamp }) => new Date(timestamp).getUTCMinutes())
  expect(minutes(printer, computer)).toEqual([5, 7, 9])
  expect(minutes({ ...printer, hasMore: false }, computer)).toEqual([2, 5, 7, 9])
})
