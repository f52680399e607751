/** The history by job and in order, as input of the invariants, and the delays that faults may cause. */
import type { ClientCall, History, InjectedFault, JobEventRow, JobRow, SpoolerCall } from './history.ts'

export interface Facts {
  history: History
  jobs: Map<string, JobFacts>
  /** Calls by marker or job id. Several calls of one creation have the same `Idempotency-Key`. */
  creations: Map<string, ClientCall[]>
}

export interface JobFacts {
  row: JobRow
  /** Rows by sequence. */
  events: JobEventRow[]
  /** Calls by time. */
  spoolerCalls: SpoolerCall[]
  /** Arrivals of webhooks about its events. */
  heard: { sequence: number; atMs: number }[]
  creations: ClientCall[]
  /**
   * The time from which it may be sent at the latest: its creation, `notBefore` or release. Infinity for a job that is
   * still held.
   */
  freeAtMs: number
}

/** What an invariant yields: the id of a job, event, computer or consumer, and a sentence. */
export type Problems = Iterable<readonly [subject: string, message: string]>

export function toFacts(history: History): Facts {
  const { calls, database, spoolerCalls, receivedWebhooks = [] } = history
  const creations = Map.groupBy(
    calls.filter(({ kind }) => kind === 'create'),
    ({ marker, jobId }) => marker ?? jobId ?? 'no job',
  )
  const events = Map.groupBy(database.events, ({ jobId }) => jobId)
  const spooled = Map.groupBy(spoolerCalls, ({ token }) => token)
  const received = Map.groupBy(receivedWebhooks, ({ eventId }) => eventId)
  const held = new Map(history.heldJobs?.map(({ jobId, releasedAtMs }) => [jobId, releasedAtMs]))
  const jobs = database.jobs.map((row): [string, JobFacts] => [
    row.id,
    {
      row,
      events: (events.get(row.id) ?? []).toSorted((a, b) => a.sequence - b.sequence),
      spoolerCalls: (spooled.get(row.id) ?? []).toSorted((a, b) => a.atMs - b.atMs),
      heard: (events.get(row.id) ?? []).flatMap(({ id, sequence }) =>
        (received.get(id) ?? []).map(({ atMs }) => ({ sequence, atMs })),
      ),
      creations: creations.get(row.title) ?? creations.get(row.id) ?? [],
      freeAtMs: Math.max(
        row.createdAtMs,
        row.notBeforeMs ? row.notBeforeMs + RELEASED_AFTER_MS : 0,
        held.has(row.id) ? (held.get(row.id) ?? Number.POSITIVE_INFINITY) : 0,
      ),
    },
  ])
  return { history, jobs: new Map(jobs), creations }
}

/** @param findProblems yields sentences about one job. */
export function* forJobs(
  { jobs, history }: Facts,
  findProblems: (job: JobFacts, history: History) => Iterable<string | undefined>,
): Problems {
  for (const job of jobs.values())
    for (const message of findProblems(job, history)) if (message) yield [job.row.id, message]
}

/** The call may have taken effect although the client did not get an id. */
export const isUndecided = ({ status }: ClientCall) => status === undefined || status >= 500

/** `sent` after `sent`: recorded for the job, but not logged. */
export function isResend(events: JobEventRow[], index: number): boolean {
  return events[index]?.state === 'sent' && events[index - 1]?.state === 'sent'
}

/** Two processes read the clock of one machine. */
export const CLOCK_TOLERANCE_MS = 20

/** Jobs whose `notBefore` has come are released every 2 s. */
const RELEASED_AFTER_MS = 3_000

/** What a busy machine may take for an immediate action, and to recover from a fault. */
export const AT_ONCE_MS = 15_000

/**
 * @param atOnceMs what it takes without a fault, and after one.
 * @returns the latest time at which something due at `dueAtMs` is done, if overlapping faults delay it one after the
 *   other.
 */
export function doneBy(faults: InjectedFault[], dueAtMs: number, atOnceMs = AT_ONCE_MS): number {
  let endMs = dueAtMs + atOnceMs
  for (const fault of faults.toSorted((a, b) => a.startedAtMs - b.startedAtMs))
    if (fault.startedAtMs <= endMs && fault.endedAtMs >= dueAtMs) endMs = Math.max(endMs, fault.endedAtMs + atOnceMs)
  return endMs
}

/** @returns whether a fault or its aftermath of `atOnceMs` overlaps this time. */
export function isDisturbed(faults: InjectedFault[], fromMs: number, toMs: number, atOnceMs = AT_ONCE_MS): boolean {
  return faults.some((fault) => fault.startedAtMs <= toMs && fault.endedAtMs + atOnceMs >= fromMs)
}
