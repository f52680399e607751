import { create } from '@bufbuild/protobuf'
import {
  ClaimIdempotencyKeyRequestSchema,
  ReleaseIdempotencyKeyRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { createJobRow } from '../../create-job-row.ts'
import type { CreationLimit } from '../../creation-limit.ts'
import { claimIdempotencyKey } from '../../rpc/claim-idempotency-key.ts'
import { releaseIdempotencyKey } from '../../rpc/release-idempotency-key.ts'
import { sweepIdempotencyKeys } from '../../timers/sweep-idempotency-keys.ts'
import { sampleJob, startTestJobs } from '../start-test-jobs.ts'

const DAY_SECONDS = 24 * 60 * 60
const LEASE_SECONDS = 150
const bodyHash = Buffer.from('the body')
const inProgress = { code: 'idempotency_in_progress' }

async function start() {
  const jobs = await startTestJobs()
  const tenant = { organizationId: uuidv7(), mode: 'test' }
  const sample = () => ({ ...sampleJob(jobs.clock.now()), ...tenant })
  const count = async (table: string) =>
    (await jobs.pool.query(`SELECT FROM jobs.${table} WHERE organization_id = $1`, [tenant.organizationId])).rowCount
  return {
    jobs,
    sample,
    count,
    limit: (max: number): CreationLimit => ({
      period: '2026-01-01',
      max,
      refusal: () => new ApiError('quota_exceeded', 'over the limit'),
    }),
    claim: async (claimToken: string, key = 'k') =>
      (await claimIdempotencyKey(jobs, create(ClaimIdempotencyKeyRequestSchema, { ...tenant, key, claimToken })))
        .completed,
    release: async (claimToken: string, key = 'k') =>
      (await releaseIdempotencyKey(jobs, create(ReleaseIdempotencyKeyRequestSchema, { ...tenant, key, claimToken })))
        .jobId,
    async createBy(claimToken: string, limit?: CreationLimit): Promise<string> {
      const job = sample()
      await createJobRow(jobs.pool, job, 'api', { limit, claim: { key: 'k', claimToken, bodyHash } })
      return job.id
    },
  }
}

test('only the request that has a claim may repeat it, and of 20 claims at once one has the key', async () => {
  const { claim } = await start()
  const tokens = Array.from({ length: 20 }, () => uuidv7())
  const outcomes = await Promise.allSettled(tokens.map((token) => claim(token)))
  const winner = tokens[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? ''
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await claim(winner)).toBeUndefined()
  await expect(claim(uuidv7())).rejects.toMatchObject(inProgress)
})

test('a creation completes its key once, and the next claim returns its job; a refused creation keeps its claim', async () => {
  const { claim, createBy, count, limit } = await start()
  const token = uuidv7()
  await claim(token)
  await expect(createBy(token, limit(0))).rejects.toThrow('over the limit')
  const jobId = await createBy(token)
  expect(await claim(uuidv7())).toMatchObject({ jobId, bodyHash })
  await expect(createBy(token)).rejects.toMatchObject(inProgress)
  expect(await count('job')).toBe(1)
})

test('a creation whose claim was released or taken over creates nothing', async () => {
  const { jobs, claim, createBy, release, count } = await start()
  const [released, overtaken, third] = [uuidv7(), uuidv7(), uuidv7()]
  await claim(released)
  expect(await release(released)).toBeUndefined()
  await expect(createBy(released)).rejects.toMatchObject(inProgress)
  await claim(overtaken)
  jobs.advance(LEASE_SECONDS)
  await claim(third)
  await expect(createBy(overtaken)).rejects.toMatchObject(inProgress)
  expect(await count('job')).toBe(0)
  expect(await release(overtaken)).toBeUndefined()
  await createBy(third)
})

test('a release waits for the creation in progress, then returns its job and keeps the key', async () => {
  const { jobs, claim, createBy, limit, release, sample } = await start()
  const token = uuidv7()
  await claim(token)
  const other = sample()
  await createJobRow(jobs.pool, other, 'api', { limit: limit(500) })
  // Holds the creation at its count, where it has its claim.
  const client = await jobs.pool.connect()
  onTestFinished(() => client.release())
  await client.query('BEGIN')
  await client.query('UPDATE jobs.creation_count SET count = count WHERE organization_id = $1', [other.organizationId])
  const creating = createBy(token, limit(500))
  await untilBlocked(jobs.pool)
  const releasing = release(token)
  await untilBlocked(jobs.pool, 2)
  await client.query('COMMIT')
  const jobId = await creating
  expect(await releasing).toBe(jobId)
  expect(await claim(uuidv7())).toMatchObject({ jobId })
})

test('keys are swept after 24 hours, completed or not, also more than one batch', async () => {
  const { jobs, claim, createBy, count } = await start()
  const token = uuidv7()
  await claim(token)
  await createBy(token)
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => claim(uuidv7(), `dead ${n}`)))
  jobs.advance(1)
  await claim(uuidv7(), 'younger')
  jobs.advance(DAY_SECONDS - 1.001)
  await sweepIdempotencyKeys(jobs)
  expect(await count('idempotency_key')).toBe(1_002)
  jobs.advance(0.001)
  await sweepIdempotencyKeys(jobs)
  expect(await count('idempotency_key')).toBe(1)
})
