/** Small changes of a history that leave everything else in it right. */
import type {
  ClientCall,
  CountRow,
  HeardEvent,
  History,
  JobEventRow,
  JobRow,
  LedgerRow,
  SpoolerCall,
} from '../history.ts'
import { agentNameOf, heardEvent } from './histories.ts'

function found<T>(what: T | undefined, name: string): T {
  if (what === undefined) throw new Error(`The history has no ${name}.`)
  return what
}

export const jobIn = ({ database }: History, id: string): JobRow =>
  found(
    database.jobs.find((job) => job.id === id),
    id,
  )

/** @param id as "done/3" */
export const eventIn = ({ database }: History, id: string): JobEventRow =>
  found(
    database.events.find((event) => event.id === id),
    id,
  )

export const creationIn = ({ calls }: History, id: string): ClientCall =>
  found(
    calls.find(({ marker }) => marker === `marker ${id}`),
    id,
  )

/** The only one. */
export const replayIn = ({ calls }: History): ClientCall =>
  found(
    calls.find(({ isReplay }) => isReplay),
    'replay',
  )

/** The first or the second reading of the job. */
export const readingIn = ({ calls }: History, id: string, nth: 0 | 1): ClientCall =>
  found(calls.filter(({ kind, jobId }) => kind === 'get' && jobId === id)[nth], id)

export const submissionIn = ({ spoolerCalls }: History, id: string): SpoolerCall =>
  found(
    spoolerCalls.find(({ token }) => token === id),
    id,
  )

export const releaseIn = ({ spoolerCalls }: History, id: string): SpoolerCall =>
  found(
    spoolerCalls.find(({ call, token }) => call === 'release' && token === id),
    id,
  )

/** The only one. */
export const printIn = ({ database }: History): LedgerRow => found(database.ledger[0], 'print')
export const countIn = ({ database }: History): CountRow => found(database.counts[0], 'count of prints')

export function submit(history: History, id: string): void {
  const { fileSha256, qty, printerId: printer, organizationId } = jobIn(history, id)
  const sha256 = found(fileSha256 ?? undefined, `document of ${id}`)
  const agent = agentNameOf(organizationId)
  const atMs = Math.max(...eventsIn(history, id).map(({ createdAtMs }) => createdAtMs)) + 100
  history.spoolerCalls.push({ call: 'submit', agent, token: id, spoolerJobId: 'another', printer, sha256, qty, atMs })
}

export function releaseAgain({ spoolerCalls }: History, id: string): void {
  const { atMs, ...release } = found(
    spoolerCalls.find(({ call, token }) => call === 'release' && token === id),
    id,
  )
  spoolerCalls.push({ ...release, atMs: atMs + 500 })
}

export function hear({ heardEvents }: History, event: JobEventRow, atMs: number): void {
  heardEvents.push(heardEvent(event, 'A', atMs))
}

export function hearLater({ heardEvents }: History, eventId: string, atMs: number): void {
  const event: HeardEvent = found(
    heardEvents.find((heard) => heard.eventId === eventId),
    eventId,
  )
  event.atMs = atMs
  heardEvents.sort((a, b) => a.atMs - b.atMs)
}

/** Everything that told of the job is gone, but what its clients heard. */
export function forget(history: History, id: string): void {
  const { storageKey } = jobIn(history, id)
  const { database } = history
  database.jobs = database.jobs.filter((job) => job.id !== id)
  database.events = database.events.filter(({ jobId }) => jobId !== id)
  history.heardEvents = history.heardEvents.filter(({ jobId }) => jobId !== id)
  history.spoolerCalls = history.spoolerCalls.filter(({ token }) => token !== id)
  history.storedDocuments = history.storedDocuments.filter((key) => key !== storageKey)
}

export function copyJob(history: History, id: string): void {
  const copy = `copy of ${id}`
  const { database, spoolerCalls, heardEvents } = history
  database.jobs.push({ ...jobIn(history, id), id: copy })
  database.events.push(
    ...eventsIn(history, id).map((event) => ({ ...event, id: `${copy}/${event.sequence}`, jobId: copy })),
  )
  heardEvents.push(
    ...heardEvents
      .filter(({ jobId }) => jobId === id)
      .map((heard) => ({ ...heard, eventId: `${copy}/${heard.sequence}`, jobId: copy })),
  )
  spoolerCalls.push(
    ...spoolerCalls
      .filter(({ token }) => token === id)
      .map((call) => ({ ...call, token: copy, spoolerJobId: `${copy} at the spooler` })),
  )
}

/** Other events of the job, numbered, counted and told anew; its second reading is left out. */
export function rewrite(history: History, id: string, change: (events: JobEventRow[]) => JobEventRow[]): void {
  const row = jobIn(history, id)
  const events = change(eventsIn(history, id)).map((event, index) => ({
    ...event,
    id: `${id}/${index + 1}`,
    sequence: index + 1,
  }))
  const { database } = history
  database.events = [...database.events.filter(({ jobId }) => jobId !== id), ...events]
  row.version = events.length
  row.attempt = events.filter(({ state }) => state === 'sent').length
  row.state = events.at(-1)?.state ?? ''
  history.heardEvents = history.heardEvents.filter(({ jobId }) => jobId !== id)
  events.forEach((event, index) => {
    if (event.state !== 'sent' || events[index - 1]?.state !== 'sent')
      history.heardEvents.push(heardEvent(event, row.organizationId, event.createdAtMs + 10))
  })
  history.calls = history.calls.filter(({ kind, jobId }) => kind !== 'get' || jobId !== id)
}

function eventsIn({ database }: History, id: string): JobEventRow[] {
  return database.events.filter(({ jobId }) => jobId === id)
}
