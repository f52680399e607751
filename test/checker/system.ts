/** Invariants of the system: usage, isolation and completion. */
import type { Facts, JobFacts, Problems } from './facts.ts'
import { type AgentFacts, STALL } from './history.ts'
import { isFinal } from './transitions.ts'

/**
 * Each live job is one print of its organization, by its first event; a count is the prints of a calendar month (UTC).
 */
export function* checkUsage({ jobs, history }: Facts): Problems {
  const { ledger, counts } = history.database
  const prints = Map.groupBy(ledger, ({ jobId }) => jobId)
  const expected = new Map<string, number>()
  for (const { jobId } of ledger) if (!jobs.has(jobId)) yield [jobId, 'The ledger has a print of a missing job.']
  for (const { row, events } of jobs.values()) {
    const own = prints.get(row.id) ?? []
    const isLive = row.mode === 'live'
    if (own.length !== (isLive ? 1 : 0)) yield [row.id, `The ledger has ${own.length} prints of a ${row.mode} job.`]
    for (const { eventId, organizationId, jobCreatedAtMs } of own)
      if (eventId !== events[0]?.id || organizationId !== row.organizationId || jobCreatedAtMs !== row.createdAtMs)
        yield [row.id, 'The ledger differs from the job.']
    const period = getPeriod(row.organizationId, row.createdAtMs)
    if (isLive) expected.set(period, (expected.get(period) ?? 0) + 1)
  }
  const counted = new Map(counts.map((count) => [getPeriod(count.organizationId, count.periodStartMs), count.prints]))
  for (const period of new Set([...expected.keys(), ...counted.keys()])) {
    const [is = 0, should = 0] = [counted.get(period), expected.get(period)]
    if (is !== should) yield [period, `${is} prints are counted instead of ${should}.`]
  }
}

const getPeriod = (organizationId: string, atMs: number) =>
  `${organizationId} ${new Date(atMs).toISOString().slice(0, 7)}`

export function* checkIsolation({ history, jobs }: Facts): Problems {
  const { agents, database, calls, leaks, spoolerCalls } = history
  const owners = new Map(agents.map(({ computerId, organizationId }) => [computerId, organizationId]))
  for (const { id, printerId, organizationId } of database.jobs)
    for (const owned of [id, printerId]) owners.set(owned, organizationId)
  const isForeign = (id: string, organizationId: string) => (owners.get(id) ?? organizationId) !== organizationId

  for (const { kind, organizationId, namedIds } of calls)
    for (const id of namedIds)
      if (isForeign(id, organizationId))
        yield [id, `A "${kind}" of ${organizationId} named an id of ${owners.get(id)}.`]
  for (const { id, computerId, reprintOf, organizationId } of database.jobs) {
    if (isForeign(computerId, organizationId)) yield [id, 'The job is for a computer of another organization.']
    if (isForeign(reprintOf ?? '', organizationId)) yield [id, 'The job is a reprint of a job of another organization.']
  }
  for (const { computerId, token } of spoolerCalls)
    if (computerId !== (jobs.get(token)?.row.computerId ?? computerId))
      yield [token, `${computerId} got a foreign job.`]
  for (const leak of leaks) yield [leak, 'A secret leaked.']
}

export function* checkLiveness(facts: Facts): Problems {
  const { agents, database, unexpectedEnds } = facts.history
  for (const { id, state } of database.jobs) if (!isFinal(state)) yield [id, `The job stays in ${state}.`]
  for (const { consumer, log, events } of database.unread)
    yield [consumer, `The consumer has not read ${events} events of the log of ${log}.`]
  for (const agent of agents) {
    for (const id of agent.unsettledJobIds) yield [id, `The agent ${agent.name} has not settled the job.`]
    if (!isBack(agent, facts)) yield [agent.computerId, `The agent ${agent.name} did not reconnect.`]
  }
  for (const end of unexpectedEnds) yield [end, 'The process exited unexpectedly. See its log.']
}

/**
 * A stream that survives all faults is not opened again. Then the agent must answer jobs that are created after the
 * last fault.
 */
function isBack({ name, computerId, welcomedAtMs }: AgentFacts, { jobs, history }: Facts): boolean {
  const lastWelcomeMs = Math.max(0, ...welcomedAtMs)
  const kills = history.faults.filter(({ kind, target }) => kind === 'kill -9' && target === name)
  if (lastWelcomeMs <= Math.max(0, ...kills.map(({ startedAtMs }) => startedAtMs))) return false
  const injected = history.faults.filter(({ kind }) => kind !== STALL)
  const lastFaultMs = Math.max(0, ...injected.map(({ endedAtMs }) => endedAtMs))
  if (lastWelcomeMs >= lastFaultMs) return true
  const own = [...jobs.values()].filter(({ row }) => row.computerId === computerId)
  const isAnswered = ({ events }: JobFacts) =>
    events.some(({ actor, createdAtMs }) => actor === 'agent' && createdAtMs >= lastFaultMs)
  return own.some(isAnswered) || !own.some(({ row }) => row.createdAtMs >= lastFaultMs && row.state !== 'cancelled')
}
