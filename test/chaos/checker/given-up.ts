/**
 * Jobs that the service gives up while their agent has them (`spooler-timeout`, `agent-lost`).
 *
 * - S5: once the agent is back, and so was told, it does not release such a job any more.
 * - S9: no job is given up before its time.
 */
import type { AgentFacts, History, JobEventRow } from '../history.ts'
import { AT_ONCE_MS, doneBy } from './disturbances.ts'
import type { Facts, JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

/** Of one machine's clock, read by two processes. */
const CLOCK_TOLERANCE_MS = 20

const S5 = violationOf('S5')
const S9 = violationOf('S9')

export function checkGivenUp({ jobs, history }: Facts): Violation[] {
  return [...jobs.values()].flatMap((job) => {
    const end = job.events.find(({ state }) => state === 'error')
    if (!end) return []
    const agent = history.agents.find(({ computerId }) => computerId === job.row.computerId)
    const isTimeout = job.row.stateReasons.includes('spooler-timeout')
    const isLost = job.row.stateReasons.includes('agent-lost')
    return [
      ...(isTimeout ? checkTimeout(job, end, history) : []),
      ...(isLost ? checkLoss(job, end, agent, history) : []),
      ...(isTimeout || isLost ? checkRelease(job, end, agent, history) : []),
    ]
  })
}

function checkTimeout({ row, events }: JobFacts, end: JobEventRow, { settings }: History): Violation[] {
  const before = events.find(({ sequence }) => sequence === end.sequence - 1)
  if (before?.state !== 'printing')
    return [S9('illegal', row.id, `The spooler timed out while the job was ${before?.state ?? 'nothing'}.`)]
  const printedMs = end.createdAtMs - before.createdAtMs
  if (printedMs >= settings.printingTimeoutMs) return []
  return [S9('illegal', row.id, `The spooler timed out after ${printedMs} ms.`)]
}

/** A hello makes the agent one that is there, so none can have been welcomed for all that time. */
function checkLoss(
  { row, events }: JobFacts,
  end: JobEventRow,
  agent: AgentFacts | undefined,
  { settings }: History,
): Violation[] {
  const before = events.find(({ sequence }) => sequence === end.sequence - 1)
  if (before?.state !== 'received' && before?.state !== 'printing')
    return [S9('illegal', row.id, `The agent was lost while the job was ${before?.state ?? 'nothing'}.`)]
  const awaySinceMs = end.createdAtMs - settings.agentLostMs + CLOCK_TOLERANCE_MS
  const wasThere = agent?.welcomedAtMs.some((atMs) => atMs > awaySinceMs && atMs < end.createdAtMs - CLOCK_TOLERANCE_MS)
  return wasThere ? [S9('illegal', row.id, 'The agent was lost, and had been welcomed a moment ago.')] : []
}

function checkRelease(
  { row, spoolerCalls }: JobFacts,
  end: JobEventRow,
  agent: AgentFacts | undefined,
  { faults }: History,
): Violation[] {
  const toldAtMs = agent?.welcomedAtMs.find((atMs) => atMs >= end.createdAtMs + CLOCK_TOLERANCE_MS)
  if (toldAtMs === undefined) return []
  const released = spoolerCalls.find(({ call, atMs }) => call === 'release' && atMs > doneBy(faults, toldAtMs))
  if (!released) return []
  const late = `${released.atMs - toldAtMs} ms after its agent was back`
  return [
    S5('illegal', row.id, `The job was given up, and released ${late} (within ${AT_ONCE_MS} ms would be by chance).`),
  ]
}
