/**
 * What must have come to an end when the faults are over and the system was left in peace.
 *
 * - L1: every job is in a final state, and its agent has nothing more to tell of it.
 * - L2: the outbox is empty. L5: no consumer lags.
 * - L6: every agent is back. A stream that no fault has ended is not opened again, so an agent need not be welcomed after the
 *   last fault; but after its own process was killed, and when a job that was accepted after the last fault stays unanswered.
 * - L7: no process has ended by itself. Its supervisor starts it again, so no other rule would notice.
 */
import type { AgentFacts, History } from '../history.ts'
import { type Facts, isFinal, type JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const L1 = violationOf('L1')
const L2 = violationOf('L2')
const L5 = violationOf('L5')
const L6 = violationOf('L6')
const L7 = violationOf('L7')

export function checkLiveness(facts: Facts): Violation[] {
  const { agents, database, consumerLag, unexpectedEnds } = facts.history
  return [
    ...database.jobs
      .filter(({ state }) => !isFinal(state))
      .map(({ id, state }) => L1('stuck', id, `The job stays in ${state}.`)),
    ...agents.flatMap(({ computerId, unsettledJobIds }) =>
      unsettledJobIds.map((id) => L1('stuck', id, `The agent of ${computerId} has not settled the job.`)),
    ),
    ...database.outbox.map(({ eventId, subject, awaiting, publications }) =>
      L2(
        'stuck',
        eventId,
        `${subject} is still in the outbox, awaits [${awaiting}], was published ${publications} times.`,
      ),
    ),
    ...Object.entries(consumerLag)
      .filter(([, lag]) => lag !== 0)
      .map(([consumer, lag]) => L5('stuck', consumer, `The consumer has not confirmed ${lag} messages.`)),
    ...agents
      .filter((agent) => !isBack(agent, facts))
      .map(({ computerId }) => L6('stuck', computerId, 'The agent did not come back.')),
    ...unexpectedEnds.map((end) => L7('other', end, 'The process ended, though nobody killed it. Its log says why.')),
  ]
}

function isBack(agent: AgentFacts, { jobs, history }: Facts): boolean {
  const lastWelcomeMs = Math.max(...agent.welcomedAtMs)
  const killedAtMs = Math.max(...killsOf(agent, history))
  if (agent.welcomedAtMs.length === 0 || lastWelcomeMs < killedAtMs) return false
  const lastFaultMs = Math.max(...history.faults.map(({ endedAtMs }) => endedAtMs))
  if (lastWelcomeMs >= lastFaultMs) return true
  const own = [...jobs.values()].filter(({ row }) => row.computerId === agent.computerId)
  const answered = own.some(({ events }) =>
    events.some(({ actor, createdAtMs }) => actor === 'agent' && createdAtMs >= lastFaultMs),
  )
  // What was cancelled, and what never got its document, is nothing for an agent.
  const isForAgent = ({ row }: JobFacts) => row.state !== 'cancelled' && row.fileSha256 !== null
  return answered || !own.some((job) => job.row.createdAtMs >= lastFaultMs && isForAgent(job))
}

function killsOf({ name, computerId }: AgentFacts, { faults }: History): number[] {
  return faults
    .filter(({ kind, target }) => /^kill/.test(kind) && (target === name || target === computerId))
    .map(({ startedAtMs }) => startedAtMs)
}
