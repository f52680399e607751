/**
 * S7, of the clients: no two answers contradict each other or the events. A state that was read was entered by then, and was
 * not left for one that is known to have been recorded before the question: by an earlier answer, by its event having
 * been heard, or by the spooler, which is given nothing before `received`. What is not known to be recorded may be read or not.
 */
import type { ClientCall, HeardEvent, JobEventRow } from '../history.ts'
import type { Facts, JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('S7')

/** From this time on the job has at least this many events. */
interface Known {
  atMs: number
  sequence: number
}

export function checkReads({ jobs, history }: Facts): Violation[] {
  const reads = Map.groupBy(
    history.calls.filter(({ kind, jobId }) => kind !== 'create' && jobId !== undefined),
    ({ jobId }) => jobId ?? '',
  )
  return [...reads].flatMap(([jobId, calls]) => {
    const job = jobs.get(jobId)
    return job ? checkJob(job, calls) : []
  })
}

function checkJob(job: JobFacts, calls: ClientCall[]): Violation[] {
  const own = calls.filter(({ organizationId }) => organizationId === job.row.organizationId)
  const answered = own.filter(({ endedAtMs }) => endedAtMs !== undefined)
  const known = knownOf(job, answered)
  return answered.flatMap((call) => checkRead(job, call, known))
}

function checkRead({ row, events }: JobFacts, call: ClientCall, known: Known[]): Violation[] {
  const { kind, status, state, startedAtMs, endedAtMs = startedAtMs } = call
  const atLeast = Math.max(0, ...known.filter(({ atMs }) => atMs < startedAtMs).map(({ sequence }) => sequence))
  if (status === 404 && kind !== 'list' && atLeast > 0)
    return [violation('lost', row.id, 'A client that asked for the job, which was there, was answered 404.')]
  if (status !== 200 || state === undefined) return []
  const entered = events.filter((event) => event.state === state && event.createdAtMs <= endedAtMs)
  const latest = entered.at(-1)
  if (!latest) return [violation('illegal', row.id, `A client read "${state}", which the job had not entered.`)]
  if (lastOfRun(events, latest) >= atLeast) return []
  return [violation('illegal', row.id, `A client read "${state}" when event ${atLeast} was known to have happened.`)]
}

/** A resend leaves a job in the same state, so a reader cannot tell one `sent` from the next. */
function lastOfRun(events: JobEventRow[], { sequence, state }: JobEventRow): number {
  const left = events.find((event) => event.sequence > sequence && event.state !== state)
  return left ? left.sequence - 1 : Number.POSITIVE_INFINITY
}

function knownOf({ events, heard, spoolerCalls, creations }: JobFacts, answered: ClientCall[]): Known[] {
  const received = events.find(({ state }) => state === 'received')
  const handedOver = spoolerCalls[0]
  return [
    ...creations.flatMap(({ status, endedAtMs }) =>
      status === 201 && endedAtMs ? [{ atMs: endedAtMs, sequence: 1 }] : [],
    ),
    ...answered.flatMap(({ status, state, endedAtMs = 0 }) => {
      const first = status === 200 && events.find((event) => event.state === state)
      return first ? [{ atMs: endedAtMs, sequence: first.sequence }] : []
    }),
    ...heard.map(({ atMs, sequence }: HeardEvent) => ({ atMs, sequence })),
    ...(received && handedOver ? [{ atMs: handedOver.atMs, sequence: received.sequence }] : []),
  ]
}
