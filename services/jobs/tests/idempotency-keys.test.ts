import { create } from '@bufbuild/protobuf'
import {
  ClaimIdempotencyKeyRequestSchema,
  ReleaseIdempotencyKeyRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { createJobRow } from '../create-job-row.ts'
import { claimIdempotencyKey } from '../rpc/claim-idempotency-key.ts'
import { releaseIdempotencyKey } from '../rpc/release-idempotency-key.ts'
import { sweepIdempotencyKeys } from '../timers/sweep-idempotency-keys.ts'
import { sampleJob, startTestJobs, type TestJobs } from './start-test-jobs.ts'

const DAY_SECONDS = 24 * 60 * 60
const LEASE_SECONDS = 150
const tenant = { organizationId: uuidv7(), mode: 'test' }
const bodyHash = Buffer.from('the body')

const claim = async (jobs: TestJobs, claimToken: string, key = 'k') =>
  (await claimIdempotencyKey(jobs, create(ClaimIdempotencyKeyRequestSchema, { ...tenant, key, claimToken }))).completed

const release = async (jobs: TestJobs, claimToken: string, key = 'k') =>
  (await releaseIdempotencyKey(jobs, create(ReleaseIdempotencyKeyRequestSchema, { ...tenant, key, claimToken }))).jobId

async function createBy(jobs: TestJobs, claimToken: string, key = 'k'): Promise<string> {
  const job = { ...sampleJob(jobs.clock.now()), ...tenant }
  await createJobRow(jobs.pool, job, 'api', { claim: { key, claimToken, bodyHash } })
  return job.id
}

const count = async (jobs: TestJobs, table: string) => (await jobs.pool.query(`SELECT FROM jobs.${table}`)).rowCount

const inProgress = { code: 'idempotency_in_progress' }

test('a claim may be repeated by its own request, and by no other one', async () => {
  const jobs = await startTestJobs()
  const token = uuidv7()
  expect(await claim(jobs, token)).toBeUndefined()
  expect(await claim(jobs, token)).toBeUndefined()
  await expect(claim(jobs, uuidv7())).rejects.toMatchObject(inProgress)
})

test('of 20 claims at once one has the key', async () => {
  const jobs = await startTestJobs()
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => claim(jobs, uuidv7())))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a creation completes its key in one transaction, once, and the next claim is told of it', async () => {
  const jobs = await startTestJobs()
  const token = uuidv7()
  await claim(jobs, token)
  const jobId = await createBy(jobs, token)
  expect(await claim(jobs, uuidv7())).toMatchObject({ jobId, bodyHash })
  await expect(createBy(jobs, token)).rejects.toMatchObject(inProgress)
  expect(await count(jobs, 'job')).toBe(1)
})

test('a creation whose claim was released, or taken over, makes nothing', async () => {
  const jobs = await startTestJobs()
  const [released, overtaken, third] = [uuidv7(), uuidv7(), uuidv7()]
  await claim(jobs, released)
  expect(await release(jobs, released)).toBeUndefined()
  await expect(createBy(jobs, released)).rejects.toMatchObject(inProgress)
  await claim(jobs, overtaken)
  jobs.clock.advanceSeconds(LEASE_SECONDS)
  await claim(jobs, third)
  await expect(createBy(jobs, overtaken)).rejects.toMatchObject(inProgress)
  expect([await count(jobs, 'job'), await count(jobs, 'job_event'), await count(jobs, 'outbox')]).toEqual([0, 0, 0])
  expect(await release(jobs, overtaken)).toBeUndefined()
  await createBy(jobs, third)
})

test('a refused creation leaves its claim as it was', async () => {
  const jobs = await startTestJobs()
  const token = uuidv7()
  await claim(jobs, token)
  const refusal = () => new ApiError('quota_exceeded', 'over the limit')
  const job = { ...sampleJob(jobs.clock.now()), ...tenant }
  const limit = { period: '2026-01-01', max: 0, refusal }
  const creation = createJobRow(jobs.pool, job, 'api', { limit, claim: { key: 'k', claimToken: token, bodyHash } })
  await expect(creation).rejects.toThrow('over the limit')
  await createBy(jobs, token)
})

test('a release waits for the creation that is under way, and then names its job and keeps the key', async () => {
  const jobs = await startTestJobs()
  const token = uuidv7()
  await claim(jobs, token)
  // Holds up the creation behind its claim, at the count.
  const limit = { period: '2026-01-01', max: 500, refusal: () => new ApiError('quota_exceeded', 'over the limit') }
  const others = { ...sampleJob(jobs.clock.now()), ...tenant }
  await createJobRow(jobs.pool, others, 'api', { limit })
  const client = await jobs.pool.connect()
  onTestFinished(() => client.release())
  await client.query('BEGIN; UPDATE jobs.creation_count SET count = count')
  const job = { ...sampleJob(jobs.clock.now()), ...tenant }
  const creating = createJobRow(jobs.pool, job, 'api', { limit, claim: { key: 'k', claimToken: token, bodyHash } })
  await untilBlocked(jobs.pool)
  let released = false
  const releasing = release(jobs, token).finally(() => {
    released = true
  })
  await untilBlocked(jobs.pool, 2)
  expect(released).toBe(false)
  await client.query('COMMIT')
  await creating
  expect(await releasing).toBe(job.id)
  expect(await claim(jobs, uuidv7())).toMatchObject({ jobId: job.id })
})

test('keys are swept after 24 hours, completed or not, however many there are', async () => {
  const jobs = await startTestJobs()
  const token = uuidv7()
  await claim(jobs, token, 'completed')
  await createBy(jobs, token, 'completed')
  await Promise.all(Array.from({ length: 1_200 }, (_, n) => claim(jobs, uuidv7(), `dead ${n}`)))
  jobs.clock.advanceSeconds(1)
  await claim(jobs, uuidv7(), 'younger')
  jobs.clock.advanceSeconds(DAY_SECONDS - 1.001)
  await sweepIdempotencyKeys(jobs)
  expect(await count(jobs, 'idempotency_key')).toBe(1_202)
  jobs.clock.advanceSeconds(0.001)
  await sweepIdempotencyKeys(jobs)
  expect(await count(jobs, 'idempotency_key')).toBe(1)
})
