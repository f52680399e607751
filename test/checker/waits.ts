/**
 * No job waits for a destination while one of its printers is free: docs/reference/destinations.md#jobs. Counted are
 * printers that have no job at all, and not the jobs of batches, which may wait for a printer that stops.
 */
import { AT_ONCE_MS, doneBy, type Facts, type JobFacts, type Problems } from './facts.ts'
import type { DestinationChange, DestinationClaim, PrinterSwitch } from './history.ts'

/** What is announced anew every 2 s. */
const TAKEN_AFTER_MS = 3_000

type Span = [fromMs: number, untilMs: number]

export function* checkWaits({ jobs, history }: Facts): Problems {
  const { destinationChanges = [], printerSwitches = [], faults, collectedAtMs, isTimeInjected } = history
  const takenAfterMs = TAKEN_AFTER_MS + (isTimeInjected ? 0 : AT_ONCE_MS)
  const computers = new Map(history.database.printers.map(({ id, computerId }) => [id, computerId]))
  const isComputer = new Set(computers.values())
  const all = [...jobs.values()]
  const returned = all.flatMap((job) => toReturns(job, history.claims))
  const busy = findBusy(all)
  const findReturned = (id: string) => returned.flatMap(({ printerId = id, span }) => (printerId === id ? [span] : []))
  const byDestination = Map.groupBy(destinationChanges, ({ destinationId }) => destinationId)
  const byPrinter = Map.groupBy(printerSwitches, ({ printerId }) => printerId)
  const toEnabled = (printerId: string, enabled = true) =>
    findEnabled(byPrinter.get(printerId) ?? [], collectedAtMs, enabled)
  for (const { row, events, freeAtMs } of all) {
    if (row.destinationId === null || row.batchId !== null) continue
    for (const [n, { state, createdAtMs }] of events.entries()) {
      if (state !== 'queued') continue
      const wait: Span = [Math.max(createdAtMs, freeAtMs), events[n + 1]?.createdAtMs ?? collectedAtMs]
      const changes = byDestination.get(row.destinationId) ?? []
      for (const [printerId, given] of findGiven(changes, toEnabled, collectedAtMs)) {
        const free = subtract(intersect([wait], intersect(merge(given), merge(toEnabled(printerId)))), [
          ...(busy.get(printerId) ?? []),
          ...findReturned(printerId),
        ])
        // A fault of another computer does not delay this one.
        const own = faults.filter(({ target }) => !isComputer.has(target) || target === computers.get(printerId))
        const missed = free.find(([fromMs, untilMs]) => untilMs > doneBy(own, fromMs, takenAfterMs))
        if (missed) yield [row.id, `Printer ${printerId} took no job for ${missed[1] - missed[0]} ms.`]
      }
    }
  }
}

/** @returns when each printer has jobs, but for those that returned to their destination. */
function findBusy(all: JobFacts[]): Map<string, Span[]> {
  const byPrinter = Map.groupBy(all, ({ row }) => row.printerId)
  return new Map([...byPrinter].map(([printerId, own]) => [printerId, own.flatMap(toBusy)] as const))
}

interface Return {
  /** Undefined if it is unknown. Then it can be any. */
  printerId: string | undefined
  span: Span
}

/** The times at which a job was at a printer and then returned to its destination. */
function toReturns({ row, events }: JobFacts, claims: DestinationClaim[] = []): Return[] {
  if (row.destinationId === null) return []
  return events.flatMap((sent, n): Return[] => {
    const queued = events.slice(n + 1).find(({ state }) => state !== 'sent')
    if (sent.state !== 'sent' || queued?.state !== 'queued') return []
    const claim = claims.find(({ jobId, takenAtMs }) => jobId === row.id && takenAtMs === sent.createdAtMs)
    // The first of several sendings in a row is a claim, whose time covers them.
    if (!claim && claims.length > 0) return []
    return [{ printerId: claim?.printerId, span: [sent.createdAtMs, queued.createdAtMs] }]
  })
}

/** The jobs of a batch wait at the printer for each other. */
function toBusy({ row, events }: JobFacts): Span[] {
  const last = events.slice(events.findLastIndex(({ state }) => state === 'queued') + 1)
  const taken = row.destinationId === null || row.batchId ? events[0] : last.find(({ state }) => state === 'sent')
  return taken ? [[taken.createdAtMs, row.finishedAtMs ?? Number.POSITIVE_INFINITY]] : []
}

/**
 * @returns when the destination gives its jobs to each printer. It is unknown from a change without an answer until the
 *   next one.
 */
function findGiven(
  changes: DestinationChange[],
  toEnabled: (printerId: string, enabled: boolean) => Span[],
  endMs: number,
): Map<string, Span[]> {
  const given = new Map<string, Span[]>()
  for (const [{ printerIds, policy, standbyAfterMs }, span] of toSpans(changes, endMs)) {
    let passed = [span]
    for (const id of printerIds) {
      given.set(id, [...(given.get(id) ?? []), ...passed])
      if (policy === 'any') continue
      if (standbyAfterMs === undefined) break
      const off = toEnabled(id, false).map(([fromMs, untilMs]): Span => [fromMs + standbyAfterMs, untilMs])
      passed = intersect(passed, off)
    }
  }
  return given
}

/** All printers are enabled at first. @returns the times at which the printer is known to be enabled, or not to be. */
function findEnabled(switches: PrinterSwitch[], endMs: number, isEnabled: boolean): Span[] {
  const first = { enabled: true, startedAtMs: 0, answeredAtMs: 0 }
  return toSpans([first, ...switches], endMs).flatMap(([{ enabled }, span]) => (enabled === isEnabled ? [span] : []))
}

/** Each change that was answered, from its answer to the next change. */
function toSpans<Change extends Pick<PrinterSwitch, 'startedAtMs' | 'answeredAtMs'>>(
  changes: Change[],
  endMs: number,
): [Change, Span][] {
  const sorted = changes.toSorted((a, b) => a.startedAtMs - b.startedAtMs)
  return sorted.flatMap((change, n): [Change, Span][] =>
    change.answeredAtMs === null ? [] : [[change, [change.answeredAtMs, sorted[n + 1]?.startedAtMs ?? endMs]]],
  )
}

/** Spans that follow each other without a gap are one. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const [fromMs, untilMs] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && fromMs <= last[1]) last[1] = Math.max(last[1], untilMs)
    else if (fromMs < untilMs) merged.push([fromMs, untilMs])
  }
  return merged
}

const intersect = (some: Span[], others: Span[]): Span[] =>
  some.flatMap((a) =>
    others.flatMap((b): Span[] => {
      const [fromMs, untilMs] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])]
      return fromMs < untilMs ? [[fromMs, untilMs]] : []
    }),
  )

function subtract(spans: Span[], taken: Span[]): Span[] {
  return taken.reduce(
    (left, [fromMs, untilMs]) =>
      left.flatMap((span) =>
        intersect(
          [span],
          [
            [0, fromMs],
            [untilMs, Number.POSITIVE_INFINITY],
          ],
        ),
      ),
    spans,
  )
}
