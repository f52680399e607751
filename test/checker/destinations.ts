/**
 * Jobs of destinations: docs/reference/destinations.md. That each is on paper once is checked for all jobs in
 * `spooler.ts`.
 */
import { AT_ONCE_MS, CLOCK_TOLERANCE_MS, type Facts, isDisturbed, type JobFacts, type Problems } from './facts.ts'

/** A job that a printer has taken. */
interface Taken extends Pick<JobFacts, 'row'> {
  /** The position in the order of acceptance. */
  position: number
  takenAtMs: number
  /**
   * The time at which the printer got it from its destination. A batch stays with its printer, also when its jobs
   * return.
   */
  assignedAtMs: number
  /** The time from which it could be taken: it was created or released, or returned to the destination. */
  queuedAtMs: number
}

export function* checkDestinations({ jobs, history }: Facts): Problems {
  const printers = new Map(history.database.printers.map((printer) => [printer.id, printer]))
  const taken = assignBatches([...jobs.values()].flatMap(toTaken))
  for (const job of taken) {
    const { row } = job
    const printer = printers.get(row.printerId)
    if (printer && (printer.organizationId !== row.organizationId || printer.mode !== row.mode))
      yield [row.id, `The job is at printer ${printer.id} of another organization or mode.`]
    if (printer && printer.computerId !== row.computerId)
      yield [row.id, `The job is at computer ${row.computerId}, which is not that of its printer.`]
    if (isLost(job, history)) yield [row.id, `Printer ${row.printerId} took the job after the destination had lost it.`]
  }
  const own = Map.groupBy([...jobs.values()].flatMap(toOwn), ({ row }) => row.printerId)
  for (const job of taken) yield* overtakenProblems(job, own.get(job.row.printerId) ?? [], history)
  for (const ofPrinter of Map.groupBy(taken, ({ row }) => row.printerId).values()) {
    yield* overlapProblems(ofPrinter)
    for (const same of Map.groupBy(ofPrinter, ({ row }) => row.destinationId).values())
      yield* orderProblems(same, history)
  }
}

function toTaken({ row, events, freeAtMs }: JobFacts, position: number): Taken[] {
  const from = events.findLastIndex(({ state }) => state === 'queued')
  const sent = events[from + 1]
  if (row.destinationId === null || sent?.state !== 'sent') return []
  const assigned = row.batchId === null ? sent : events.find(({ state }) => state === 'sent')
  const times = { takenAtMs: sent.createdAtMs, assignedAtMs: (assigned ?? sent).createdAtMs }
  return [{ row, position, ...times, queuedAtMs: Math.max(events[from]?.createdAtMs ?? 0, freeAtMs) }]
}

/** The printer that takes the first job of a batch that waits for a destination takes all of them. */
function assignBatches(jobs: Taken[]): Taken[] {
  const firsts = Map.groupBy(jobs, toBatch)
  return jobs.map((job) => {
    if (job.row.batchId === null) return job
    const same = firsts.get(toBatch(job)) ?? []
    return { ...job, assignedAtMs: Math.min(...same.map(({ assignedAtMs }) => assignedAtMs)) }
  })
}

const toBatch = ({ row }: Taken) => `${row.batchId} ${row.destinationId} ${row.printerId}`

/**
 * The last change leaves the printer out and was answered before. One without an answer may have taken effect at any
 * time.
 */
function isLost({ row, assignedAtMs }: Taken, { destinationChanges = [] }: Facts['history']): boolean {
  const before = destinationChanges
    .filter(({ destinationId, startedAtMs }) => destinationId === row.destinationId && startedAtMs <= assignedAtMs)
    .toSorted((a, b) => a.startedAtMs - b.startedAtMs)
  if (before.some(({ answeredAtMs }) => answeredAtMs === null)) return false
  const last = before.at(-1)
  return (
    last !== undefined &&
    (last.answeredAtMs ?? assignedAtMs) < assignedAtMs - CLOCK_TOLERANCE_MS &&
    !last.printerIds.includes(row.printerId)
  )
}

function* overlapProblems(jobs: Taken[]): Problems {
  // The one of two in one millisecond that ended in it was taken first.
  const toEnd = ({ row }: Taken) => row.finishedAtMs ?? Number.MAX_VALUE
  const sorted = jobs.toSorted((a, b) => a.takenAtMs - b.takenAtMs || toEnd(a) - toEnd(b))
  for (const [n, { row, takenAtMs }] of sorted.entries()) {
    const before = sorted[n - 1]
    // A printer takes a batch as a whole.
    if (before?.row.batchId && before.row.batchId === row.batchId) continue
    if (!before || (before.row.finishedAtMs ?? Number.POSITIVE_INFINITY) <= takenAtMs + CLOCK_TOLERANCE_MS) continue
    yield [row.id, `Printer ${row.printerId} took the job while it had ${before.row.id}.`]
  }
}

/** A claim that a fault interrupts lets a later job go first. */
function* orderProblems(jobs: Taken[], { faults, isTimeInjected }: Facts['history']): Problems {
  const sorted = jobs.toSorted((a, b) => a.takenAtMs - b.takenAtMs)
  for (const [n, job] of sorted.entries()) {
    const later = sorted.slice(0, n).find((one) => one.position > job.position && one.takenAtMs > job.queuedAtMs)
    if (!later || isDisturbed(faults, later.takenAtMs, later.takenAtMs, isTimeInjected ? 0 : AT_ONCE_MS)) continue
    yield [job.row.id, `Printer ${job.row.printerId} took the job after ${later.row.id}, which was accepted later.`]
  }
}

/** A job of the printer itself, and when it was queued and could be sent. */
interface Own extends Pick<JobFacts, 'row'> {
  position: number
  spans: [fromMs: number, untilMs: number][]
}

function toOwn({ row, events, freeAtMs }: JobFacts, position: number): Own[] {
  if (row.destinationId !== null) return []
  const spans = events.flatMap(({ state, createdAtMs }, n): Own['spans'] =>
    state === 'queued'
      ? [[Math.max(createdAtMs, freeAtMs), events[n + 1]?.createdAtMs ?? Number.POSITIVE_INFINITY]]
      : [],
  )
  return [{ row, position, spans }]
}

/** A printer takes no job while an older one of its own waits to be sent. A slow transaction can show that one late. */
function* overtakenProblems(
  { row, position, assignedAtMs }: Taken,
  own: Own[],
  { faults, isTimeInjected }: Facts['history'],
): Problems {
  const shownAfterMs = isTimeInjected ? 0 : AT_ONCE_MS
  const older = own.find(
    (one) =>
      one.position < position &&
      one.spans.some(([fromMs, untilMs]) => fromMs + shownAfterMs < assignedAtMs && assignedAtMs < untilMs),
  )
  if (older && !isDisturbed(faults, assignedAtMs, assignedAtMs, shownAfterMs))
    yield [row.id, `Printer ${row.printerId} took the job before ${older.row.id}, which is its own and older.`]
}
