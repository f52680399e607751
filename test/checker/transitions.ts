/** The events of a job follow the transitions of docs/reference/print-jobs.md#states, and the row agrees with them. */
import { AT_ONCE_MS, type Facts, forJobs, isDisturbed, type JobFacts, type Problems } from './facts.ts'

/** It is not imported from the jobs service: a wrong transition there must not be correct here. */
const NEXT_STATES: Record<string, readonly string[]> = {
  '': ['queued'],
  queued: ['sent', 'cancelled', 'expired', 'error'],
  sent: ['received', 'sent', 'queued', 'cancelled', 'expired', 'error'],
  received: ['printing', 'error'],
  printing: ['done', 'error'],
}

export const isFinal = (state: string) => !(state in NEXT_STATES)

export function* checkTransitions(facts: Facts): Problems {
  const { jobs, history } = facts
  const { events, jobs: rows } = history.database
  for (const [id, same] of Map.groupBy(events, (event) => event.id))
    if (same.length > 1) yield [id, `${same.length} events have this id.`]
  for (const { id, jobId } of events) if (!jobs.has(jobId)) yield [id, `The event belongs to the missing job ${jobId}.`]
  if (jobs.size < rows.length) yield ['jobs', 'Two jobs have one id.']
  yield* forJobs(facts, (job) => [...pathProblems(job), ...rowProblems(job), ...timeProblems(job, history.faults)])
}

function* pathProblems({ events }: JobFacts): Iterable<string> {
  if (events.length === 0) yield 'The job has no events.'
  for (const [index, { sequence, state }] of events.entries()) {
    const before = events[index - 1]?.state ?? ''
    if (sequence !== index + 1) yield `Event ${index + 1} has the sequence ${sequence}.`
    else if (!NEXT_STATES[before]?.includes(state)) yield `The job went from ${before || 'nothing'} to ${state}.`
  }
}

/** A time stamp is the time of the event that entered the state; a requeued job keeps only `createdAt`. */
function* rowProblems({ row, events }: JobFacts): Iterable<string> {
  const last = events.at(-1)
  if (!last) return
  const expected: Record<string, unknown> = {
    state: last.state,
    version: last.sequence,
    attempt: events.filter(({ state }) => state === 'sent').length,
    createdAtMs: events[0]?.createdAtMs,
    sentAtMs: null,
    receivedAtMs: null,
    printingAtMs: null,
    finishedAtMs: null,
  }
  for (const { state, createdAtMs } of events) {
    if (state === 'queued') expected.sentAtMs = null
    else if (state === 'sent') expected.sentAtMs ??= createdAtMs
    else expected[isFinal(state) ? 'finishedAtMs' : `${state}AtMs`] = createdAtMs
  }
  for (const [name, value] of Object.entries(expected)) {
    const actual = row[name as keyof typeof row]
    if (actual !== value) yield `${name} is ${actual}, but the events give ${value}.`
  }
}

/** An event has the time of its request. A fault can delay a request until a later one overtakes it. */
function* timeProblems({ events }: JobFacts, faults: Facts['history']['faults']): Iterable<string> {
  for (const [index, { sequence, createdAtMs }] of events.entries()) {
    const beforeMs = events[index - 1]?.createdAtMs ?? createdAtMs
    if (beforeMs - createdAtMs < AT_ONCE_MS / 10 || isDisturbed(faults, createdAtMs, beforeMs)) continue
    yield `Event ${sequence} is ${beforeMs - createdAtMs} ms older than the event before.`
  }
}
