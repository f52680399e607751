import { create } from '@bufbuild/protobuf'
import { AgentTrigger, CancelJobRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { askedChanges, changeStates } from '../../change-state.ts'
import { cancelJob } from '../../rpc/cancel-job.ts'
import { sweepExpired } from '../../timers/sweep-expired.ts'
import { agentOf } from '../agent-of.ts'
import { startOwnTestJobs } from '../start-test-jobs.ts'

/** `npm run test:limits` sets 10,000. */
const RACES = Number(process.env.PLATEN_TEST_RACES ?? 300)
/** Each job expires a second after the one before it, so that a sweep ends jobs of one round alone. */
const RACES_A_ROUND = Math.min(100, RACES / 10)
/** Are cancelled by the call itself; the others by the statement behind it, several at once, to be quicker. */
const CANCEL_CALLS_A_ROUND = RACES_A_ROUND / 10
const JOBS_A_STATEMENT = 10
const REPLICAS = 2
const CLAIMED_AT_ONCE = 500

type Winner = 'received' | 'cancelled' | 'expired'

const tenant = { organizationId: uuidv7(), mode: 'test' }

async function startRaces() {
  const jobs = await startOwnTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  const jobId = await jobs.addJob({ ...tenant, computerId: agent.computerId })
  await copyJob(jobs.pool, jobId, RACES - 1)
  const ids: string[] = []
  while (ids.length < RACES) ids.push(...(await agent.claimIds(1n, { limit: CLAIMED_AT_ONCE, queuedOnly: true })))
  await jobs.pool.query(
    `UPDATE jobs.job SET expires_at = $1::timestamptz + make_interval(secs => 1 + (n - 1) / ${RACES_A_ROUND})
     FROM unnest($2::uuid[]) WITH ORDINALITY AS raced (id, n) WHERE job.id = raced.id`,
    [jobs.clock.now(), ids],
  )
  const won = new Map<string, Winner[]>(ids.map((id) => [id, []]))
  return {
    jobs,
    ids,
    won,
    async acknowledge(jobIds: string[]): Promise<void> {
      for (const { jobId, granted, state } of await agent.sayOfAll(jobIds, AgentTrigger.ACKNOWLEDGE)) {
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

/** Random numbers that are the same in each run. */
let state = 1
function random(): number {
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647
}

const shuffled = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

/** Jobs of one call come in another order in the next one. */
function inBatches(jobIds: string[]): string[][] {
  const mixed = shuffled(jobIds)
  return Array.from({ length: Math.ceil(mixed.length / JOBS_A_STATEMENT) }, (_, n) =>
    mixed.slice(n * JOBS_A_STATEMENT, (n + 1) * JOBS_A_STATEMENT),
  )
}

test('of an acknowledgement, a cancel and an expiry at once exactly one wins, and the state, its event and its version agree', {
  timeout: 240_000,
}, async () => {
  const { jobs, ids, won, acknowledge, cancel, cancelAll, expire } = await startRaces()
  expect(ids).toHaveLength(RACES)
  for (let first = 0; first < RACES; first += RACES_A_ROUND) {
    jobs.advance(1)
    const raced = ids.slice(first, first + RACES_A_ROUND)
    const calls = raced.slice(0, CANCEL_CALLS_A_ROUND).map((id) => () => cancel(id))
    for (const batch of inBatches(raced)) calls.push(() => acknowledge(batch))
    for (const batch of inBatches(raced.slice(CANCEL_CALLS_A_ROUND))) calls.push(() => cancelAll(batch))
    for (let n = 0; n < REPLICAS; n++) calls.push(expire)
    await Promise.all(shuffled(calls).map((call) => call()))
  }

  const { rows } = await jobs.pool.query<{ id: string; state: Winner; version: number; states: string[] }>(
    `SELECT job.id, job.state, job.version, array_agg(event.state ORDER BY event.sequence) AS states
     FROM jobs.job JOIN jobs.job_event AS event ON event.job_id = job.id GROUP BY job.id`,
  )
  const count = { received: 0, cancelled: 0, expired: 0 }
  for (const { id, state, version, states } of rows) {
    count[state]++
    expect({ version, states }).toEqual({ version: 3, states: ['queued', 'sent', state] })
    // A sweep returns no jobs.
    expect(won.get(id)).toEqual(state === 'expired' ? [] : [state])
  }
  expect(count.received + count.cancelled + count.expired).toBe(RACES)
  // Otherwise there was no race.
  for (const winner of ['received', 'cancelled', 'expired'] as const) expect(count[winner]).toBeGreaterThan(RACES / 100)
})
