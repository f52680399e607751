/**
 * Invariants of events outside of the jobs service.
 *
 * A published event was heard or is still in the stream. Before a wipe of NATS an event may be missing if the listener may have been disconnected
 * between its creation and the next heard event of its job. The order of first arrivals is judged with the same tolerance.
 */
import { AT_ONCE_MS, doneBy, type Facts, isResend, type JobFacts, type Problems } from './facts.ts'
import type { HeardEvent, History, InjectedFault, JobEventRow } from './history.ts'

export function* checkPublication({ jobs, history }: Facts): Problems {
  const recorded = new Map(history.database.events.map((event) => [event.id, event]))
  const kept = new Set(history.keptEventIds)
  for (const heard of history.heardEvents) {
    const message = heardProblem(heard, recorded.get(heard.eventId), jobs.get(heard.jobId))
    if (message) yield [heard.eventId, message]
  }
  for (const job of jobs.values()) {
    yield* unheard(job, history, kept)
    for (const message of orderProblems(job, history)) yield [job.row.id, message]
  }
}

function heardProblem(heard: HeardEvent, event?: JobEventRow, job?: JobFacts): string | undefined {
  const { jobId, state, sequence, organizationId, subject } = heard
  if (!event || !job) return `The event "${state}" of the job ${jobId} was published but is not recorded.`
  const isSame = event.jobId === jobId && event.state === state && event.sequence === sequence
  if (!isSame || job.row.organizationId !== organizationId || !subject.endsWith(`.${state}`))
    return `The event was published as "${state}" ${sequence} of ${jobId}, which it is not.`
  return isResend(job.events, job.events.indexOf(event)) ? 'A resend was published.' : undefined
}

function* unheard({ events, heard }: JobFacts, history: History, kept: Set<string>): Problems {
  const known = new Set(heard.map(({ eventId }) => eventId))
  for (const [index, event] of events.entries()) {
    if (known.has(event.id) || kept.has(event.id) || isResend(events, index)) continue
    const mayBeWiped = history.faults.some(
      ({ kind, endedAtMs }) => kind === 'wipe NATS' && endedAtMs >= event.createdAtMs,
    )
    if (!mayBeWiped || !mayBeMissed(event, heard, history))
      yield [event.id, `The event "${event.state}" of the job ${event.jobId} was not published.`]
  }
}

function* orderProblems({ events, heard }: JobFacts, history: History): Iterable<string> {
  const first = new Set<number>()
  let latest = 0
  for (const { sequence } of heard) {
    if (first.has(sequence)) continue
    first.add(sequence)
    const event = events.find((one) => one.sequence === sequence)
    if (sequence < latest && event && !mayBeMissed(event, heard, history))
      yield `Event ${sequence} was published after event ${latest}.`
    latest = Math.max(latest, sequence)
  }
}

function mayBeMissed({ sequence, createdAtMs }: JobEventRow, heard: HeardEvent[], history: History): boolean {
  const { faults, heardEvents } = history
  const later = heard.filter((other) => other.sequence > sequence).map(({ atMs }) => atMs)
  const publishedByMs = Math.min(doneBy(faults, createdAtMs), ...later)
  return faults
    .filter(canDisconnectListener)
    .some((fault) => fault.startedAtMs <= publishedByMs && deafUntil(fault, heardEvents) >= createdAtMs)
}

/** The server drops a connection that it cannot write to for 10 s; half of that is safe. The listener uses no link. */
function canDisconnectListener({ kind, target, startedAtMs, endedAtMs }: InjectedFault): boolean {
  const isShortPause = kind === 'pause' && endedAtMs - startedAtMs < 5_000
  return target.startsWith('nats-server') && !isShortPause
}

/** The listener is back when it hears an event. After a pause the server may drop it even later. */
function deafUntil({ kind, endedAtMs }: InjectedFault, heardEvents: HeardEvent[]): number {
  const latestMs = endedAtMs + AT_ONCE_MS
  if (kind === 'pause') return latestMs
  return Math.min(latestMs, heardEvents.find(({ atMs }) => atMs > endedAtMs)?.atMs ?? latestMs)
}

export function* checkFeed({ jobs, history }: Facts): Problems {
  const { feed } = history.database
  const listed = new Map(feed.map((event) => [event.id, event]))
  const expected = new Set<string>()
  for (const { row, events } of jobs.values()) {
    for (const [index, { id, state, sequence }] of events.entries()) {
      if (isResend(events, index)) continue
      expected.add(id)
      const entry = listed.get(id)
      if (!entry) yield [id, `The feed misses the event "${state}" of the job ${row.id}.`]
      else if (
        entry.type !== `printjob.${state}` ||
        entry.resourceId !== row.id ||
        entry.sequence !== sequence ||
        entry.organizationId !== row.organizationId ||
        entry.mode !== row.mode
      )
        yield [id, `The feed has the event "${state}" of the job ${row.id} with other facts.`]
    }
  }
  for (const { id, type } of feed)
    if (type.startsWith('printjob.') && !expected.has(id)) yield [id, `The feed has a "${type}" that no job has.`]
  const changes = Map.groupBy(
    feed,
    ({ type, resourceId, sequence }) => `${type.split('.')[0]} ${resourceId} ${sequence}`,
  )
  for (const [change, events] of changes)
    if (events.length > 1) yield [change, `The feed has ${events.length} events of this number.`]
}
