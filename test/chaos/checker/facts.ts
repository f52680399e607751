/** A history as the groups of invariants look at it: by job, and in order. */
import type { ClientCall, HeardEvent, History, JobEventRow, JobRow, SpoolerCall } from '../history.ts'

export interface Facts {
  history: History
  jobs: Map<string, JobFacts>
  /** Creations by their marker: several only with an `Idempotency-Key`. */
  creations: Map<string, ClientCall[]>
}

export interface JobFacts {
  row: JobRow
  /** By sequence. */
  events: JobEventRow[]
  /** By time. */
  spoolerCalls: SpoolerCall[]
  heard: HeardEvent[]
  /** The calls whose marker stands in the title. */
  creations: ClientCall[]
}

export function factsOf(history: History): Facts {
  const { calls, database, spoolerCalls, heardEvents } = history
  const creations = Map.groupBy(
    calls.filter(({ kind, marker }) => kind === 'create' && marker),
    ({ marker = '' }) => marker,
  )
  const events = Map.groupBy(database.events, ({ jobId }) => jobId)
  const handedOver = Map.groupBy(spoolerCalls, ({ token }) => token)
  const heard = Map.groupBy(heardEvents, ({ jobId }) => jobId)
  const jobs = database.jobs.map((row): [string, JobFacts] => [
    row.id,
    {
      row,
      events: (events.get(row.id) ?? []).toSorted((a, b) => a.sequence - b.sequence),
      spoolerCalls: (handedOver.get(row.id) ?? []).toSorted((a, b) => a.atMs - b.atMs),
      heard: heard.get(row.id) ?? [],
      creations: creationsOf(row.title, creations),
    },
  ])
  return { history, jobs: new Map(jobs), creations }
}

/** One marker may be the beginning of another, so the longest that stands in the title. */
function creationsOf(title: string, creations: Map<string, ClientCall[]>): ClientCall[] {
  const exactly = creations.get(title)
  if (exactly) return exactly
  const inside = [...creations.keys()].filter((marker) => title.includes(marker))
  return creations.get(inside.toSorted((a, b) => b.length - a.length)[0] ?? '') ?? []
}

/** A creation that has said neither yes nor no: no answer, or one that says that the service failed. */
export function isUndecided({ status }: ClientCall): boolean {
  return status === undefined || status >= 500
}

export const FINAL_STATES = ['done', 'error', 'cancelled', 'expired']

export function isFinal(state: string): boolean {
  return FINAL_STATES.includes(state)
}

/** `sent` again without `queued` in between: an event of the job that is told to nobody (decisions, "Jobs"). */
export function isResend(events: JobEventRow[], index: number): boolean {
  return events[index]?.state === 'sent' && events[index - 1]?.state === 'sent'
}
