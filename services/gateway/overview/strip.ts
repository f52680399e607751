import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Computer, Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { StateChange } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { isStopped } from '@platen/resources/state-reasons.ts'
import { required } from '../required.ts'

/**
 * - `stopped`: online, but disabled or with a reason why it does not print.
 * - `unknown`: its computer is offline, or there is no event.
 */
export const STRIP_STATES = ['online', 'offline', 'stopped', 'unknown'] as const
type StripState = (typeof STRIP_STATES)[number]

interface Segment {
  state: StripState
  start: string
}

interface Change {
  at: Date
  state: string
}

/** @param changes of the printers and their computers, oldest first. */
export function toStrip(printers: Printer[], computers: Map<string, Computer>, changes: StateChange[], since: Date) {
  const byResource = Map.groupBy(changes, ({ resourceId }) => resourceId)
  const find = (id: string): Change[] =>
    (byResource.get(id) ?? []).map(({ at, state }) => ({ at: timestampDate(required(at)), state }))
  return printers.map((printer) => {
    const computer = computers.get(printer.computerId)
    return {
      id: printer.id,
      name: printer.displayName,
      computerName: computer?.name ?? '',
      segments: toSegments(
        { changes: find(printer.id), present: toPresent(printer) },
        { changes: find(printer.computerId), present: computer?.state ?? 'offline' },
        since,
      ),
    }
  })
}

interface Timeline {
  /** Oldest first. The first one can be before the time that is shown. */
  changes: Change[]
  /** The state now, which has lasted if nothing has changed. */
  present: string
}

/** The printer as its last report shows it, if its computer is online. */
const toPresent = (printer: Printer): string =>
  printer.state === 'online' && isStopped(printer) ? 'stopped' : printer.state

export function toSegments(printer: Timeline, computer: Timeline, since: Date): Segment[] {
  const times = [since, ...[...printer.changes, ...computer.changes].map(({ at }) => at)]
  const segments: Segment[] = []
  for (const time of times.filter((at) => at >= since).toSorted((a, b) => a.getTime() - b.getTime())) {
    const state = getState(printer, computer, time)
    const last = segments.at(-1)
    if (last?.state === state) continue
    // The last of several changes at the same time counts.
    if (last?.start === time.toISOString()) segments.pop()
    segments.push({ state, start: time.toISOString() })
  }
  return segments
}

function getState(printer: Timeline, computer: Timeline, time: Date): StripState {
  if (getAt(computer, time, isAlternating) !== 'online') return 'unknown'
  const state = getAt(printer, time, () => undefined)
  return STRIP_STATES.find((known) => known === state) ?? 'unknown'
}

/** A computer is either online or offline. */
const isAlternating = (first: string) => (first === 'online' ? 'offline' : 'online')

/** @param before the state before the first change, from that change. */
function getAt({ changes, present }: Timeline, time: Date, before: (first: string) => string | undefined) {
  const [first] = changes
  if (!first) return present
  return changes.findLast(({ at }) => at <= time)?.state ?? before(first.state)
}
