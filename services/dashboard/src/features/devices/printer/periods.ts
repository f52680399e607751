/** The states that a printer had, from the events of the printer and its computer. */
import type { FeedEvent, Printer } from '../../../api/resources.ts'
import { describeReasons } from '../reasons.ts'

export interface Period {
  state: Printer['state'] | 'removed'
  isEnabled: boolean
  /** In words of the printer, or as keywords. */
  reason: string
  /** ISO 8601. Null: before the first stored event. */
  from: string | null
  /** Null: it lasts. */
  to: string | null
}

interface LoadedEvents {
  /** Newest first. */
  events: FeedEvent[]
  hasMore: boolean
}

/** @returns the events of several lists, oldest first, from the time since which all of them are loaded. */
export function mergeLoaded(lists: LoadedEvents[]): FeedEvent[] {
  const starts = lists.flatMap(({ events, hasMore }) => (hasMore ? (events.at(-1)?.timestamp ?? []) : []))
  const start = starts.toSorted().at(-1) ?? ''
  return lists
    .flatMap(({ events }) => events.toReversed())
    .filter(({ timestamp }) => timestamp >= start)
    .toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
}

/**
 * A printer of an offline computer reports nothing, so its state is unknown. Afterwards it is what it was before.
 * Events that change nothing of a period do not end it.
 *
 * @param events oldest first. The time before the first one that shows the printer is left out.
 * @param printer as it is now, for a printer without events.
 * @returns newest first.
 */
export function toPeriods(events: FeedEvent[], printer: Printer): Period[] {
  let seen = events.some(({ type }) => type.startsWith('printer.')) ? undefined : printer
  let isRemoved = false
  let offline: string | undefined
  const periods: Period[] = seen && events.length === 0 ? [{ ...describe(seen), from: null, to: null }] : []
  for (const { type, timestamp, data } of events) {
    if ('displayName' in data) {
      // An event with `unknown` is of the time when the computer was offline, which the events of the computer show.
      seen = data.state === 'unknown' ? { ...data, state: (seen ?? printer).state } : data
      isRemoved = type === 'printer.removed'
    } else if ('hostname' in data) offline = type === 'computer.offline' ? data.name : undefined
    if (!seen) continue
    const shown = isRemoved
      ? { ...describe(seen), state: 'removed' as const, reason: '' }
      : offline === undefined
        ? describe(seen)
        : { ...describe(seen), state: 'unknown' as const, reason: `computer ${offline} offline` }
    const last = periods.at(-1)
    if (last && isEqual(last, shown)) continue
    // The last of several changes at the same time counts.
    if (last?.from === timestamp) periods.pop()
    else if (last) last.to = timestamp
    periods.push({ ...shown, from: timestamp, to: null })
  }
  return periods.toReversed()
}

type Shown = Pick<Period, 'state' | 'isEnabled' | 'reason'>

const describe = (printer: Printer): Shown => ({
  state: printer.state,
  isEnabled: printer.enabled,
  reason: describeReasons(printer),
})

const isEqual = (a: Shown, b: Shown) => a.state === b.state && a.isEnabled === b.isEnabled && a.reason === b.reason
