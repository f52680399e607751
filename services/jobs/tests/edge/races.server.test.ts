import { create } from '@bufbuild/protobuf'
import { AgentTrigger, CancelJobRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import type { QueryConfig } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { cancelJob } from '../../rpc/cancel-job.ts'
import { sweepExpired } from '../../timers/sweep-expired.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { startOwnTestJobs } from '../start-test-jobs.ts'

const RACES = 300
/** Jobs of one round expire at the same second, so that a sweep ends jobs of one round alone. */
const RACES_A_ROUND = 30
const JOBS_A_BATCH = 10
const CLAIMED_AT_ONCE = 500

type Winner = 'received' | 'cancelled' | 'expired'

test('of an acknowledgement, a cancel and an expiry at once exactly one wins, and the state, its event and its version agree', {
  timeout: 240_000,
}, async () => {
  const jobs = await startOwnTestJobs()
  const agent = createTestAgent(jobs)
  const tenant = { organizationId: uuidv7(), mode: 'test' }
  await agent.hello(1n)
  await copyJob(jobs.pool, await agent.addJob(tenant), RACES - 1)
  const ids: string[] = []
  while (ids.length < RACES) ids.push(...(await agent.claimIds(1n, { limit: CLAIMED_AT_ONCE, queuedOnly: true })))
  await jobs.pool.query(
    `UPDATE jobs.job SET expires_at = $1::timestamptz + make_interval(secs => 1 + (n - 1) / ${RACES_A_ROUND})
     FROM unnest($2::uuid[]) WITH ORDINALITY AS raced (id, n) WHERE job.id = raced.id`,
    [jobs.clock.now(), ids],
  )
  const won = new Map<string, Winner[]>(ids.map((id) => [id, []]))
  async function acknowledge(jobIds: string[]): Promise<void> {
    for (const { jobId, granted, state } of await agent.reportAll(jobIds, AgentTrigger.ACKNOWLEDGE)) {
      if (granted) won.get(jobId)?.push('received')
      else expect(['cancelled', 'expired']).toContain(state)
    }
  }
  async function cancel(jobId: string): Promise<void> {
    try {
      await cancelJob(jobs, create(CancelJobRequestSchema, { ...tenant, jobId, actor: 'api' }))
      won.get(jobId)?.push('cancelled')
    } catch (error) {
      expect(error).toMatchObject({ code: 'not_cancellable' })
    }
  }

  // A sweep that has found jobs, so that its change begins together with the others.
  const query = async (statement: QueryConfig) =>
    statement.name === 'find expire' ? { rows: [{ found: true }] } : await jobs.pool.query(statement)
  const sweeping = { ...jobs, pool: Object.assign(Object.create(jobs.pool), { query }) }

  for (let first = 0; first < RACES; first += RACES_A_ROUND) {
    jobs.advance(1)
    const raced = ids.slice(first, first + RACES_A_ROUND)
    // Batches name the jobs in the opposite order of the cancels. A third of the rounds begins with each trigger.
    const batches = Array.from({ length: RACES_A_ROUND / JOBS_A_BATCH }, (_, n) =>
      raced.slice(n * JOBS_A_BATCH, (n + 1) * JOBS_A_BATCH).toReversed(),
    )
    const calls = [
      () => Promise.all([sweepExpired(sweeping), sweepExpired(sweeping)]),
      () => Promise.all(batches.map(acknowledge)),
      () => Promise.all(raced.map(cancel)),
    ]
    const offset = (first / RACES_A_ROUND) % calls.length
    const begun = calls[offset]?.()
    // Its statements are sent before the others, and not answered yet.
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([begun, ...calls.filter((_, n) => n !== offset).map((call) => call())])
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
  expect(rows).toHaveLength(RACES)
  // Otherwise there was no race.
  for (const winner of ['received', 'cancelled', 'expired'] as const) expect(count[winner]).toBeGreaterThan(RACES / 50)
})
