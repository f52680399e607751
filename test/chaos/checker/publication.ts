/**
 * S3: each event is told once for all: what is heard is recorded, with the same content each time, in the order of the job.
 *
 * What must have been told: every event but resends was heard, or is kept by the stream. Only a wipe takes away what the server had, so
 * before one an event may rightly stay unheard, since the outbox forgets an event that nobody waits for once the server has it: when
 * the listener may have been deaf while the event was published, which was after it was made and before the next one of its job was heard.
 * The order of first hearings is judged by the same measure.
 */
import type { HeardEvent, History, InjectedFault, JobEventRow } from '../history.ts'
import { AT_ONCE_MS, doneBy, natsFaults } from './disturbances.ts'
import { type Facts, isResend, type JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('S3')

export function checkPublication({ jobs, history }: Facts): Violation[] {
  const { database, heardEvents } = history
  const recorded = new Map(database.events.map((event) => [event.id, event]))
  const kept = new Set(history.keptEventIds)
  return [
    ...repeatedIds(database.events),
    ...heardEvents.flatMap((heard) => checkHeard(heard, recorded.get(heard.eventId), jobs.get(heard.jobId))),
    ...[...jobs.values()].flatMap((job) => [...checkUnheard(job, history, kept), ...checkOrder(job, history)]),
  ]
}

function repeatedIds(events: JobEventRow[]): Violation[] {
  return [...Map.groupBy(events, ({ id }) => id)]
    .filter(([, same]) => same.length > 1)
    .map(([id, same]) => violation('doubled', id, `${same.length} events have this id.`))
}

function checkHeard(heard: HeardEvent, event: JobEventRow | undefined, job: JobFacts | undefined): Violation[] {
  const { eventId, subject, jobId, state, sequence, organizationId } = heard
  if (!event)
    return [violation('illegal', eventId, `An event "${state}" of the job ${jobId} was told and is not recorded.`)]
  const same =
    event.jobId === jobId &&
    event.state === state &&
    event.sequence === sequence &&
    job?.row.organizationId === organizationId &&
    subject.endsWith(`.${state}`)
  if (!same)
    return [violation('illegal', eventId, `The event was told as "${state}" ${sequence} of ${jobId}, and is not that.`)]
  if (job && isResend(job.events, job.events.indexOf(event)))
    return [violation('illegal', eventId, 'A resend was told, though the state was not entered anew.')]
  return []
}

function checkUnheard({ events, heard }: JobFacts, history: History, kept: Set<string>): Violation[] {
  const known = new Set(heard.map(({ eventId }) => eventId))
  const mayBeWiped = ({ createdAtMs }: JobEventRow) =>
    history.faults.some(({ kind, endedAtMs }) => kind === 'wipe NATS' && endedAtMs >= createdAtMs)
  return events
    .filter((event, index) => !known.has(event.id) && !kept.has(event.id) && !isResend(events, index))
    .filter((event) => !(mayBeWiped(event) && mayBeMissed(event, heard, history)))
    .map(({ id, jobId, state }) => violation('lost', id, `The event "${state}" of the job ${jobId} was never told.`))
}

function checkOrder({ row, events, heard }: JobFacts, history: History): Violation[] {
  const recorded = new Map(events.map((event) => [event.sequence, event]))
  const first = new Set<number>()
  const found: Violation[] = []
  let latest = 0
  for (const { sequence } of heard) {
    if (first.has(sequence)) continue
    first.add(sequence)
    const event = recorded.get(sequence)
    if (sequence < latest && event && !mayBeMissed(event, heard, history))
      found.push(violation('illegal', row.id, `The event ${sequence} of the job was told after the event ${latest}.`))
    latest = Math.max(latest, sequence)
  }
  return found
}

function mayBeMissed({ sequence, createdAtMs }: JobEventRow, heard: HeardEvent[], history: History): boolean {
  const { faults, heardEvents } = history
  const later = heard.filter((other) => other.sequence > sequence).map(({ atMs }) => atMs)
  const publishedByMs = Math.min(doneBy(faults, createdAtMs), ...later)
  return natsFaults(faults).some(
    (fault) => fault.startedAtMs <= publishedByMs && deafUntil(fault, heardEvents) >= createdAtMs,
  )
}

/** The listener is back when it hears something; after a pause it may be dropped even then. */
function deafUntil({ kind, endedAtMs }: InjectedFault, heardEvents: HeardEvent[]): number {
  const latestMs = endedAtMs + AT_ONCE_MS
  if (kind === 'pause') return latestMs
  return Math.min(latestMs, heardEvents.find(({ atMs }) => atMs > endedAtMs)?.atMs ?? latestMs)
}
