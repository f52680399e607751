/** Invariants of time: resends, expiry, and timeouts of jobs and agents. */
import {
  AT_ONCE_MS,
  CLOCK_TOLERANCE_MS,
  doneBy,
  type Facts,
  forJobs,
  isDisturbed,
  type JobFacts,
  type Problems,
} from './facts.ts'
import type { AgentFacts, History, JobEventRow } from './history.ts'

export const checkResends = (facts: Facts): Problems =>
  forJobs(facts, (job, history) => [
    ...roundProblems(job, history),
    ...waitProblems(job, history),
    ...expiryProblems(job, history),
    ...earlyProblems(job, history),
  ])

/** An unacknowledged job is sent again `resendsMax` times, and then requeued. */
function* roundProblems({ row, events }: JobFacts, history: History): Iterable<string> {
  const { resendsMax, resendAfterMs } = history.settings
  let sent: JobEventRow | undefined
  let resends = 0
  for (const event of events) {
    const { state, createdAtMs, sequence } = event
    if (sent && (state === 'sent' || state === 'queued')) {
      const waitedMs = createdAtMs - sent.createdAtMs
      if (waitedMs < resendAfterMs - CLOCK_TOLERANCE_MS && !mayBeAtHello(event, row, history))
        yield `Event ${sequence}: ${state} after only ${waitedMs} ms in sent.`
    }
    if (state === 'queued' && sent && resends < resendsMax) yield `The job was requeued after ${resends} resends.`
    if (state === 'sent') resends = sent ? resends + 1 : 0
    if (state === 'sent' && resends === resendsMax + 1) yield `The job was sent again more than ${resendsMax} times.`
    sent = state === 'sent' ? event : undefined
  }
}

/**
 * A hello resends at once. It is recorded only when it is welcomed, which a fault may prevent. A job that has returned
 * to its destination was at an unknown computer before.
 */
function mayBeAtHello(
  { createdAtMs }: JobEventRow,
  { computerId, destinationId }: JobFacts['row'],
  { agents, faults }: History,
): boolean {
  const welcomes = agents
    .filter((agent) => destinationId !== null || agent.computerId === computerId)
    .flatMap(({ welcomedAtMs }) => welcomedAtMs)
    .toSorted((a, b) => a - b)
  const nextMs = welcomes.find((atMs) => atMs >= createdAtMs - CLOCK_TOLERANCE_MS)
  if (nextMs === undefined) return false
  return nextMs - createdAtMs <= AT_ONCE_MS || isDisturbed(faults, createdAtMs, createdAtMs + AT_ONCE_MS)
}

function* waitProblems({ events }: JobFacts, { faults, settings, collectedAtMs }: History): Iterable<string> {
  for (const [index, { state, createdAtMs }] of events.entries()) {
    const leftAtMs = events[index + 1]?.createdAtMs ?? collectedAtMs
    if (state === 'sent' && leftAtMs > doneBy(faults, createdAtMs + settings.resendAfterMs))
      yield `Event ${index + 1}: sent, and neither received nor sent again for ${leftAtMs - createdAtMs} ms.`
  }
}

function* expiryProblems({ row, events }: JobFacts, { faults }: History): Iterable<string> {
  for (const { state, createdAtMs } of events) {
    const lateMs = createdAtMs - row.expiresAtMs
    if (state === 'expired' && lateMs < 0) yield `The job expired ${-lateMs} ms too early.`
    if (state === 'received' && createdAtMs > doneBy(faults, row.expiresAtMs))
      yield `The job was received ${lateMs} ms after it had expired.`
  }
}

/** A held job waits for its release, a scheduled one for its time. */
function* earlyProblems({ row, events }: JobFacts, { heldJobs = [] }: History): Iterable<string> {
  const held = heldJobs.find(({ jobId }) => jobId === row.id)
  const sentAtMs = events.find(({ state }) => state === 'sent')?.createdAtMs ?? Number.POSITIVE_INFINITY
  if (sentAtMs < (row.notBeforeMs ?? 0)) yield `The job was sent ${(row.notBeforeMs ?? 0) - sentAtMs} ms too early.`
  if (held && sentAtMs < (held.startedAtMs ?? Number.POSITIVE_INFINITY) && Number.isFinite(sentAtMs))
    yield 'The job was sent although it was held.'
}

export const checkTimeouts = (facts: Facts): Problems =>
  forJobs(facts, function* (job, history) {
    const { row, events } = job
    const agent = history.agents.find(({ computerId }) => computerId === row.computerId)
    const [before, end] = events.slice(-2)
    if (!before || !end) return
    const isTimeout = row.stateReasons.includes('spooler-timeout')
    const isLost = row.stateReasons.includes('agent-lost')
    if (isTimeout) yield timeoutProblem(before, end, history)
    if (isLost) yield lossProblem(before, end, agent, history)
    if (isTimeout || isLost) yield lateReleaseProblem(job, end, agent, history)
  })

function timeoutProblem(before: JobEventRow, end: JobEventRow, { settings }: History): string | undefined {
  if (before.state !== 'printing') return `The spooler timed out while the job was ${before.state}.`
  const printedMs = end.createdAtMs - before.createdAtMs
  return printedMs < settings.printingTimeoutMs ? `The spooler timed out after ${printedMs} ms.` : undefined
}

/** A welcomed agent is not lost. */
function lossProblem(before: JobEventRow, end: JobEventRow, agent: AgentFacts | undefined, { settings }: History) {
  if (before.state !== 'received' && before.state !== 'printing') return `The agent was lost in ${before.state}.`
  const fromMs = end.createdAtMs - settings.agentLostMs + CLOCK_TOLERANCE_MS
  const wasThere = agent?.welcomedAtMs.some((atMs) => atMs > fromMs && atMs < end.createdAtMs - CLOCK_TOLERANCE_MS)
  return wasThere ? 'The agent was lost although it had just been welcomed.' : undefined
}

/** The agent does not release a job after a welcome that followed its end. */
function lateReleaseProblem(job: JobFacts, end: JobEventRow, agent: AgentFacts | undefined, { faults }: History) {
  const knownAtMs = agent?.welcomedAtMs.find((atMs) => atMs >= end.createdAtMs + CLOCK_TOLERANCE_MS)
  if (knownAtMs === undefined) return undefined
  const late = job.spoolerCalls.find(({ call, atMs }) => call === 'release' && atMs > doneBy(faults, knownAtMs))
  return (
    late &&
    `The job was ended by the service, but released ${late.atMs - knownAtMs} ms after its agent had reconnected.`
  )
}
