import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  CountTestJobsTodayRequestSchema,
  CreateJobRequestSchema,
  ListJobEventsRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { countTestJobsToday } from '../rpc/count-test-jobs-today.ts'
import { createJob } from '../rpc/create-job.ts'
import { listJobEvents } from '../rpc/list-job-events.ts'
import { sweepCreationCounts } from '../timers/sweep-creation-counts.ts'
import { sampleJob, startTestJobs, type TestJobs } from './start-test-jobs.ts'

type Facts = MessageInitShape<typeof CreateJobRequestSchema>

function requestOf(facts: Facts) {
  const { fileSizeBytes, ...sample } = sampleJob(new Date())
  const { id: jobId, createdAt, expiresAt, traceparent, effectiveOptions, optionWarning, reprintOf, ...rest } = sample
  return create(CreateJobRequestSchema, {
    ...rest,
    jobId,
    fileSizeBytes: BigInt(fileSizeBytes),
    actor: 'api',
    ...facts,
  })
}

/** @returns "created", or the code of the refusal with its `Retry-After`. */
async function tryCreate(jobs: TestJobs, facts: Facts): Promise<string> {
  try {
    await createJob(jobs, requestOf(facts))
    return 'created'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.code, error.retryAfterSeconds].filter((part) => part !== undefined).join(' ')
  }
}

const createMany = (jobs: TestJobs, count: number, facts: Facts) =>
  Promise.all(Array.from({ length: count }, () => tryCreate(jobs, facts)))

const tally = (outcomes: string[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([name, all]) => [name, all.length]))

const jobCount = async (jobs: TestJobs, organizationId: string) =>
  (await jobs.pool.query('SELECT count(*)::int FROM jobs.job WHERE organization_id = $1', [organizationId])).rows[0]
    ?.count

async function usedToday(jobs: TestJobs, organizationId: string) {
  const { used, resetsAt } = await countTestJobsToday(jobs, create(CountTestJobsTodayRequestSchema, { organizationId }))
  return { used, resetsAt: resetsAt && timestampDate(resetsAt).toISOString() }
}

describe('the daily cap of test jobs', () => {
  test('of 600 creations at once, 500 make a job and 100 are told to wait until midnight UTC', async () => {
    const jobs = await startTestJobs()
    jobs.clock.advanceSeconds(23 * 3600 + 59 * 60 + 30.5)
    const organizationId = uuidv7()
    const outcomes = await createMany(jobs, 600, { organizationId })
    expect(tally(outcomes)).toEqual({ created: 500, 'test_mode_daily_cap 30': 100 })
    expect(await jobCount(jobs, organizationId)).toBe(500)
    expect(await usedToday(jobs, organizationId)).toEqual({ used: 500, resetsAt: '2026-01-02T00:00:00.000Z' })
  })

  test('the next UTC day has jobs of its own, from its first millisecond on', async () => {
    const jobs = await startTestJobs()
    jobs.testJobsPerDay = 2
    const organizationId = uuidv7()
    jobs.clock.advanceSeconds(24 * 3600 - 0.001)
    expect(tally(await createMany(jobs, 3, { organizationId }))).toEqual({ created: 2, 'test_mode_daily_cap 1': 1 })
    jobs.clock.advanceSeconds(0.001)
    expect(await usedToday(jobs, organizationId)).toEqual({ used: 0, resetsAt: '2026-01-03T00:00:00.000Z' })
    expect(tally(await createMany(jobs, 3, { organizationId }))).toEqual({ created: 2, 'test_mode_daily_cap 86400': 1 })
  })

  test('each organization has its own, and live jobs count in none', async () => {
    const jobs = await startTestJobs()
    jobs.testJobsPerDay = 1
    const [ours, theirs] = [uuidv7(), uuidv7()]
    await createMany(jobs, 3, { organizationId: ours, mode: 'live' })
    expect(await usedToday(jobs, ours)).toMatchObject({ used: 0 })
    expect(await createMany(jobs, 1, { organizationId: ours })).toEqual(['created'])
    expect(await createMany(jobs, 1, { organizationId: theirs })).toEqual(['created'])
    expect(await createMany(jobs, 1, { organizationId: ours })).toEqual(['test_mode_daily_cap 86400'])
    expect(await createMany(jobs, 1, { organizationId: ours, mode: 'live' })).toEqual(['created'])
  })

  test('a creation that is refused or fails is not counted', async () => {
    const jobs = await startTestJobs()
    const organizationId = uuidv7()
    await createMany(jobs, 1, { organizationId })
    await expect(createJob(jobs, requestOf({ organizationId, title: 'no\0text' }))).rejects.toThrow()
    expect(await usedToday(jobs, organizationId)).toMatchObject({ used: 1 })
    jobs.testJobsPerDay = 1
    await createMany(jobs, 5, { organizationId })
    jobs.testJobsPerDay = 2
    expect(tally(await createMany(jobs, 2, { organizationId }))).toEqual({ created: 1, 'test_mode_daily_cap 86400': 1 })
  })

  test('a call that is repeated counts once and never fails, also beside itself and at the cap', async () => {
    const jobs = await startTestJobs()
    jobs.testJobsPerDay = 20
    const organizationId = uuidv7()
    for (let n = 0; n < 20; n++) {
      const jobId = uuidv7()
      const facts = { organizationId, jobId }
      expect(await createMany(jobs, 4, facts)).toEqual(Array(4).fill('created'))
      expect(await tryCreate(jobs, facts)).toBe('created')
      const request = create(ListJobEventsRequestSchema, { organizationId, mode: 'test', jobId })
      expect((await listJobEvents(jobs, request)).events).toHaveLength(1)
    }
    expect(await usedToday(jobs, organizationId)).toMatchObject({ used: 20 })
    expect(await tryCreate(jobs, { organizationId })).toBe('test_mode_daily_cap 86400')
  })
})

describe('the prints of a plan', () => {
  const live = { mode: 'live' }

  test('of 60 live creations at once with 40 left, 40 make a job', async () => {
    const jobs = await startTestJobs()
    const organizationId = uuidv7()
    const facts = { ...live, organizationId, printsLimit: 40 }
    expect(tally(await createMany(jobs, 60, facts))).toEqual({ created: 40, quota_exceeded: 20 })
    expect(await jobCount(jobs, organizationId)).toBe(40)
  })

  test('what the month has printed before there was a limit counts, however many ask first', async () => {
    const jobs = await startTestJobs()
    const organizationId = uuidv7()
    jobs.clock.advanceSeconds(-1)
    await createMany(jobs, 5, { ...live, organizationId })
    jobs.clock.advanceSeconds(1)
    await createMany(jobs, 7, { ...live, organizationId })
    await createMany(jobs, 3, { ...live, organizationId: uuidv7() })
    const facts = { ...live, organizationId, printsLimit: 40 }
    expect(tally(await createMany(jobs, 60, facts))).toEqual({ created: 33, quota_exceeded: 27 })
  })

  test('what is printed while the limit is lifted counts when it is back', async () => {
    const jobs = await startTestJobs()
    const organizationId = uuidv7()
    expect(await tryCreate(jobs, { ...live, organizationId, printsLimit: 4 })).toBe('created')
    await createMany(jobs, 2, { ...live, organizationId })
    const outcomes = await createMany(jobs, 3, { ...live, organizationId, printsLimit: 4 })
    expect(tally(outcomes)).toEqual({ created: 1, quota_exceeded: 2 })
    expect(await tryCreate(jobs, { ...live, organizationId })).toBe('created')
  })

  test('a limit of 0 allows none, and one that was lowered below what is used neither', async () => {
    const jobs = await startTestJobs()
    const organizationId = uuidv7()
    expect(await tryCreate(jobs, { ...live, organizationId, printsLimit: 0 })).toBe('quota_exceeded')
    await createMany(jobs, 3, { ...live, organizationId, printsLimit: 3 })
    expect(await tryCreate(jobs, { ...live, organizationId, printsLimit: 2 })).toBe('quota_exceeded')
  })

  test('the next month, UTC, begins with none', async () => {
    const jobs = await startTestJobs()
    const organizationId = uuidv7()
    const facts = { ...live, organizationId, printsLimit: 1 }
    jobs.clock.advanceSeconds(31 * 24 * 3600 - 1)
    expect(await createMany(jobs, 2, facts)).toContain('quota_exceeded')
    jobs.clock.advanceSeconds(1)
    expect(await tryCreate(jobs, facts)).toBe('created')
  })

  test('a test job takes none', async () => {
    const jobs = await startTestJobs()
    const organizationId = uuidv7()
    const facts = { organizationId, printsLimit: 1 }
    expect(await createMany(jobs, 3, { ...facts, mode: 'test' })).toEqual(Array(3).fill('created'))
    expect(await tryCreate(jobs, { ...facts, ...live })).toBe('created')
  })

  test('without a limit nothing is counted', async () => {
    const jobs = await startTestJobs()
    await createMany(jobs, 3, { ...live, organizationId: uuidv7() })
    expect((await jobs.pool.query('SELECT * FROM jobs.creation_count')).rows).toEqual([])
  })
})

test('a creation that waits for the count of its organization lets those of others pass', async () => {
  const jobs = await startTestJobs()
  const [ours, theirs] = [uuidv7(), uuidv7()]
  await createMany(jobs, 1, { organizationId: ours })
  const client = await jobs.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('UPDATE jobs.creation_count SET count = count WHERE organization_id = $1', [ours])
    const waiting = tryCreate(jobs, { organizationId: ours })
    expect(await createMany(jobs, 3, { organizationId: theirs })).toEqual(Array(3).fill('created'))
    expect(await jobCount(jobs, ours)).toBe(1)
    await client.query('COMMIT')
    expect(await waiting).toBe('created')
  } finally {
    client.release()
  }
})

test('counts are kept until a day after the end of their month', async () => {
  const jobs = await startTestJobs()
  const organizationId = uuidv7()
  await createMany(jobs, 1, { organizationId })
  await createMany(jobs, 1, { organizationId, mode: 'live', printsLimit: 5 })
  const rows = async () => (await jobs.pool.query('SELECT * FROM jobs.creation_count')).rowCount
  jobs.clock.advanceSeconds(32 * 24 * 3600 - 1)
  await sweepCreationCounts(jobs)
  expect(await rows()).toBe(2)
  jobs.clock.advanceSeconds(1)
  await sweepCreationCounts(jobs)
  expect(await rows()).toBe(0)
})
