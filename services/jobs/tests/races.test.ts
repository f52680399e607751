import { create } from '@bufbuild/protobuf'
import {
  AgentTrigger,
  CancelJobRequestSchema,
  RecordAgentUpdatesRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { askedChanges, changeStates } from '../change-state.ts'
import { cancelJob } from '../rpc/cancel-job.ts'
import { recordAgentUpdates } from '../rpc/record-agent-updates.ts'
import { sweepExpired } from '../timers/sweep-expired.ts'
import { agentOf } from './agent-of.ts'
import { startTestJobs } from './start-test-jobs.ts'

const RACES = 10_000
/** Each expires a second after the one before it, so that a sweep ends jobs of one round alone. */
const RACES_A_ROUND = 100
/** Of those that are cancelled by the call itself; the others by the statement behind it, some at once, to be quicker. */
const CANCEL_CALLS_A_ROUND = 10
/** What devices says in one call, say. */
const JOBS_A_STATEMENT = 10
const REPLICAS = 2
const CLAIMED_AT_ONCE = 500

type Winner = 'received' | 'cancelled' | 'expired'

const tenant = { organizationId: uuidv7(), mode: 'test' }

async function startRaces() {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  const jobId = await jobs.addJob({ ...tenant, computerId: agent.computerId })
  await copyJob(jobs.pool, jobId, RACES - 1)
  const ids: string[] = []
  while (ids.length < RACES) ids.push(...(await agent.claimIds(1n, { limit: CLAIMED_AT_ONCE, queuedOnly: true })))
  const now = jobs.clock.now()
  await jobs.pool.query(
    `UPDATE jobs.job SET expires_at = $1::timestamptz + make_interval(secs => 1 + (n - 1) / ${RACES_A_ROUND})
     FROM unnest($2::uuid[]) WITH ORDINALITY AS raced (id, n) WHERE job.id = raced.id`,
    [now, ids],
  )
  const won = new Map<string, Winner[]>(ids.map((id) => [id, []]))
  return {
    jobs,
    ids,
    won,
    async acknowledge(jobIds: string[]): Promise<void> {
      const { computerId } = agent
      const updates = jobIds.map((jobId) => ({
        jobId,
        computerId,
        trigger: AgentTrigger.ACKNOWLEDGE,
        attempt: 1,
        epoch: 1n,
      }))
      const { results } = await recordAgentUpdates(jobs, create(RecordAgentUpdatesRequestSchema, { updates }))
      for (const { jobId, granted, state } of results) {
        if (granted) won.get(jobId)?.push('received')
        else expect(['cancelled', 'expired']).toContain(state)
      }
    },
    async cancel(jobId: string): Promise<void> {
      try {
        const { job } = await cancelJob(jobs, create(CancelJobRequestSchema, { ...tenant, jobId, actor: 'api' }))
        expect(job?.state).toBe('cancelled')
        won.get(jobId)?.push('cancelled')
      } catch (error) {
        expect(error).toMatchObject({ code: 'not_cancellable' })
      }
    },
    async cancelAll(jobIds: string[]): Promise<void> {
      const asked = askedChanges(jobIds.map((jobId) => ({ jobId, trigger: 'cancel', actor: 'api' })))
      for (const { id } of await changeStates(jobs.pool, asked, jobs.clock.now())) won.get(id)?.push('cancelled')
    },
    expire: () => sweepExpired(jobs),
  }
}

/** Jobs of one call come in another order in the next one. */
function inParts(jobIds: string[]): string[][] {
  const mixed = shuffled(jobIds)
  return Array.from({ length: Math.ceil(mixed.length / JOBS_A_STATEMENT) }, (_, n) =>
    mixed.slice(n * JOBS_A_STATEMENT, (n + 1) * JOBS_A_STATEMENT),
  )
}

function shuffled<T>(items: T[]): T[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}

test('of acknowledgement, cancel and expiry at once exactly one wins, 10,000 times', { timeout: 240_000 }, async () => {
  const { jobs, ids, won, acknowledge, cancel, cancelAll, expire } = await startRaces()
  expect(ids).toHaveLength(RACES)
  for (let first = 0; first < RACES; first += RACES_A_ROUND) {
    jobs.clock.advanceSeconds(1)
    const round = ids.slice(first, first + RACES_A_ROUND)
    const calls = round.slice(0, CANCEL_CALLS_A_ROUND).map((id) => () => cancel(id))
    for (const some of inParts(round)) calls.push(() => acknowledge(some))
    for (const some of inParts(round.slice(CANCEL_CALLS_A_ROUND))) calls.push(() => cancelAll(some))
    for (let n = 0; n < REPLICAS; n++) calls.push(expire)
    await Promise.all(shuffled(calls).map((call) => call()))
  }

  const { rows } = await jobs.pool.query<{ id: string; state: Winner; states: string[] }>(
    `SELECT job.id, job.state, array_agg(event.state ORDER BY event.sequence) AS states
     FROM jobs.job JOIN jobs.job_event AS event ON event.job_id = job.id GROUP BY job.id`,
  )
  const count = { received: 0, cancelled: 0, expired: 0 }
  for (const { id, state, states } of rows) {
    count[state]++
    expect(states).toEqual(['queued', 'sent', state])
    // Nobody is told that a sweep has won.
    expect(won.get(id)).toEqual(state === 'expired' ? [] : [state])
  }
  expect(count.received + count.cancelled + count.expired).toBe(RACES)
  // Otherwise there was no race.
  for (const winner of ['received', 'cancelled', 'expired'] as const) expect(count[winner]).toBeGreaterThan(RACES / 50)
})
