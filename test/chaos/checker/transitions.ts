/**
 * S2: the events of a job are a walk along the specification's table ("Print job states"), and the job is where its events end.
 * The table is written down here anew: a wrong edge in the product must not be right here as well.
 */
import type { InjectedFault, JobEventRow, JobRow } from '../history.ts'
import { AT_ONCE_MS, isDisturbed } from './disturbances.ts'
import { type Facts, isFinal, type JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('S2')

const NEXT_STATES: Record<string, readonly string[]> = {
  '': ['queued'],
  queued: ['sent', 'cancelled', 'expired', 'error'],
  sent: ['received', 'sent', 'queued', 'cancelled', 'expired', 'error'],
  received: ['printing', 'error'],
  printing: ['done', 'error'],
  done: [],
  error: [],
  cancelled: [],
  expired: [],
}

export function checkTransitions({ jobs, history }: Facts): Violation[] {
  const orphans = history.database.events.filter(({ jobId }) => !jobs.has(jobId))
  return [
    ...orphans.map(({ id, jobId }) =>
      violation('illegal', id, `The event tells of the job ${jobId}, which is not there.`),
    ),
    ...[...jobs.values()].flatMap((job) => [
      ...checkPath(job),
      ...checkRow(job),
      ...checkTimes(job.row, job.events),
      ...checkOrderOfTimes(job.events, history.faults),
    ]),
  ]
}

function checkPath({ row, events }: JobFacts): Violation[] {
  const found: Violation[] = []
  if (events.length === 0) found.push(violation('lost', row.id, 'The job has no events.'))
  events.forEach(({ sequence, state }, index) => {
    const before = events[index - 1]?.state ?? ''
    if (sequence !== index + 1)
      found.push(violation('lost', row.id, `The event ${index + 1} of the job has the sequence ${sequence}.`))
    else if (!NEXT_STATES[before]?.includes(state))
      found.push(violation('illegal', row.id, `The job went from ${before || 'nothing'} to ${state}.`))
  })
  return found
}

function checkRow({ row, events }: JobFacts): Violation[] {
  const last = events.at(-1)
  if (!last) return []
  const sendings = events.filter(({ state }) => state === 'sent').length
  const found: Violation[] = []
  if (row.state !== last.state)
    found.push(violation('illegal', row.id, `The job is ${row.state}, and its last event says ${last.state}.`))
  if (row.version !== last.sequence)
    found.push(violation('illegal', row.id, `The version is ${row.version} after ${last.sequence} events.`))
  if (row.attempt !== sendings)
    found.push(violation('illegal', row.id, `The attempt is ${row.attempt} after ${sendings} sendings.`))
  return found
}

/** Each time stamp is that of the event which entered the state; a job that was given back has none but its creation. */
function checkTimes(row: JobRow, events: JobEventRow[]): Violation[] {
  const expected = {
    createdAtMs: row.createdAtMs,
    sentAtMs: null,
    receivedAtMs: null,
    printingAtMs: null,
    finishedAtMs: null,
  } as Record<'createdAtMs' | 'sentAtMs' | 'receivedAtMs' | 'printingAtMs' | 'finishedAtMs', number | null>
  events.forEach(({ state, createdAtMs }, index) => {
    if (index === 0) expected.createdAtMs = createdAtMs
    if (state === 'queued') expected.sentAtMs = null
    if (state === 'sent') expected.sentAtMs ??= createdAtMs
    if (state === 'received') expected.receivedAtMs = createdAtMs
    if (state === 'printing') expected.printingAtMs = createdAtMs
    if (isFinal(state)) expected.finishedAtMs = createdAtMs
  })
  return Object.entries(expected)
    .filter(([name, atMs]) => row[name as keyof typeof expected] !== atMs)
    .map(([name, atMs]) => {
      const is = row[name as keyof typeof expected]
      return violation('illegal', row.id, `${name} is ${is}, and the events of the job say ${atMs}.`)
    })
}

/**
 * An event bears the time at which its change was asked for. A fault can hold that up on its way to the database while another
 * replica's later change overtakes it, so only what nothing held up must be in order.
 */
function checkOrderOfTimes(events: JobEventRow[], faults: InjectedFault[]): Violation[] {
  return events.flatMap(({ jobId, sequence, createdAtMs }, index) => {
    const beforeMs = events[index - 1]?.createdAtMs ?? createdAtMs
    if (createdAtMs >= beforeMs || isDisturbed(faults, createdAtMs, beforeMs)) return []
    if (beforeMs - createdAtMs < AT_ONCE_MS / 10) return []
    return [
      violation('illegal', jobId, `The event ${sequence} is ${beforeMs - createdAtMs} ms older than the one before.`),
    ]
  })
}
