import { create } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  CountTestJobsTodayRequestSchema,
  CreateJobsRequestSchema,
  ListJobEventsRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { testPeriodEnd } from '../../limits/creation-limit.ts'
import { createUnfinishedJobsQuota } from '../../limits/quotas.ts'
import { countTestJobsToday } from '../../rpc/count-test-jobs-today.ts'
import { createJobs } from '../../rpc/create-jobs.ts'
import { listJobEvents } from '../../rpc/list-job-events.ts'
import { sweepOldRows } from '../../timers/sweep-old-rows.ts'
import { type CreationFacts, createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

const DAY_SECONDS = 24 * 60 * 60

async function start({ testJobsPerDay = 500 } = {}) {
  const jobs = Object.assign(await startTestJobs(), { testJobsPerDay })
  const organizationId = uuidv7()
  /** @returns "created", or the code of the refusal with its `Retry-After`. */
  async function tryCreate(facts: CreationFacts = {}): Promise<string> {
    try {
      await createOneJob(jobs, jobCreation(jobs, { organizationId, ...facts }))
      return 'created'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return [error.code, error.retryAfterSeconds].filter((part) => part !== undefined).join(' ')
    }
  }
  const createMany = (count: number, facts: CreationFacts = {}) =>
    Promise.all(Array.from({ length: count }, () => tryCreate(facts)))
  const advanceTo = (at: Date | number) => jobs.advance((Number(at) - jobs.clock.now().getTime()) / 1000)
  return {
    jobs,
    organizationId,
    tryCreate,
    createMany,
    advanceTo,
    /** @returns how many creations had each outcome. */
    tally: async (count: number, facts: CreationFacts = {}) =>
      Object.fromEntries(
        [...Map.groupBy(await createMany(count, facts), (one) => one)].map(([name, all]) => [name, all.length]),
      ),
    /** To the first moment of the next UTC day, or to so many seconds before. */
    nextDay: (secondsBefore = 0) => advanceTo(testPeriodEnd(jobs.clock.now()).getTime() - secondsBefore * 1000),
    nextMonth(secondsAfter = 0) {
      const now = jobs.clock.now()
      return advanceTo(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) + secondsAfter * 1000)
    },
    async usedToday(of = organizationId) {
      const request = create(CountTestJobsTodayRequestSchema, { organizationId: of })
      const { used, resetsAt } = await countTestJobsToday(jobs, request)
      return { used, resetsAt: resetsAt && timestampDate(resetsAt) }
    },
    count: async (table: string) =>
      (await jobs.pool.query(`SELECT FROM jobs.${table} WHERE organization_id = $1`, [organizationId])).rowCount,
  }
}

describe('the daily cap of test jobs', () => {
  test('creations at once over the cap are refused until midnight UTC; other organizations and live jobs are not', async () => {
    proves('daily-cap.next-day', 'daily-cap.per-organization', 'daily-cap.live')
    const { jobs, nextDay, tally, count, usedToday, tryCreate } = await start({ testJobsPerDay: 50 })
    nextDay()
    nextDay(0.001)
    await tryCreate({ mode: 'live' })
    expect(await tally(60)).toEqual({ created: 50, 'test_mode_daily_cap 1': 10 })
    expect(await count('job')).toBe(51)
    expect(await usedToday()).toEqual({ used: 50, resetsAt: testPeriodEnd(jobs.clock.now()) })
    const other = uuidv7()
    expect(await tryCreate({ organizationId: other })).toBe('created')
    expect([(await usedToday()).used, (await usedToday(other)).used]).toEqual([50, 1])
    expect(await tryCreate({ mode: 'live' })).toBe('created')
    nextDay()
    expect(await usedToday()).toEqual({ used: 0, resetsAt: testPeriodEnd(jobs.clock.now()) })
    expect(await tally(60)).toEqual({ created: 50, 'test_mode_daily_cap 86400': 10 })
  })

  test('a creation that is refused or fails is not counted', async () => {
    const { jobs, nextDay, tryCreate, createMany, usedToday } = await start({ testJobsPerDay: 1 })
    nextDay()
    await expect(tryCreate({ title: 'no\0text' })).rejects.toThrow()
    await createMany(5)
    expect(await usedToday()).toMatchObject({ used: 1 })
    jobs.testJobsPerDay = 2
    expect(await createMany(2)).toContain('created')
  })

  test('a repeated call counts once and never fails, also at once and at the cap', async () => {
    const { jobs, organizationId, nextDay, createMany, tryCreate, usedToday } = await start({ testJobsPerDay: 10 })
    nextDay()
    for (let n = 0; n < 10; n++) {
      const jobId = uuidv7({ msecs: jobs.clock.now().getTime() })
      expect(await createMany(4, { jobId })).toEqual(Array(4).fill('created'))
      expect(await tryCreate({ jobId })).toBe('created')
      const request = create(ListJobEventsRequestSchema, { organizationId, mode: 'test', jobId })
      expect((await listJobEvents(jobs, request)).events).toHaveLength(1)
    }
    expect(await usedToday()).toMatchObject({ used: 10 })
    expect(await tryCreate()).toBe('test_mode_daily_cap 86400')
  })
})

describe('the prints of a plan', () => {
  const live = { mode: 'live' }

  test('live creations at once stop at the limit, which may be lowered, lifted and set again', async () => {
    const { tally, tryCreate, createMany } = await start()
    expect(await tryCreate({ ...live, printsLimit: 0 })).toBe('quota_exceeded')
    expect(await tally(60, { ...live, printsLimit: 40 })).toEqual({ created: 40, quota_exceeded: 20 })
    expect(await tryCreate({ ...live, printsLimit: 30 })).toBe('quota_exceeded')
    await createMany(2, live)
    expect(await tally(3, { ...live, printsLimit: 43 })).toEqual({ created: 1, quota_exceeded: 2 })
  })

  test('on the first day of a month live and test jobs have counts of their own', async () => {
    const { nextMonth, tryCreate, usedToday } = await start()
    const limited = { ...live, printsLimit: 2 }
    nextMonth()
    for (const facts of [limited, { mode: 'test' }, limited]) expect(await tryCreate(facts)).toBe('created')
    expect(await tryCreate(limited)).toBe('quota_exceeded')
    expect(await usedToday()).toMatchObject({ used: 1 })
  })

  test('a replay and a creation that another limit refuses are not counted', async () => {
    const { jobs, organizationId, tryCreate } = await start()
    const limited = { ...live, printsLimit: 2, idempotency: { key: 'k', bodyHashes: [Buffer.from('the body')] } }
    for (let n = 0; n < 3; n++) expect(await tryCreate(limited)).toBe('created')
    jobs.unfinishedJobs = createUnfinishedJobsQuota(jobs.pool, 1)
    jobs.unfinishedJobs.check(`${organizationId} live`)
    await jobs.unfinishedJobs.sweep()
    expect(await tryCreate({ ...live, printsLimit: 2 })).toMatch('rate_limited')
    jobs.unfinishedJobs = createUnfinishedJobsQuota(jobs.pool, 100)
    expect(await tryCreate({ ...live, printsLimit: 2 })).toBe('created')
    expect(await tryCreate({ ...live, printsLimit: 2 })).toBe('quota_exceeded')
  })

  test('prints of this month before the limit began count; test jobs, other organizations and the last month do not', async () => {
    proves('daily-cap.plan')
    const { nextMonth, createMany, tally, count } = await start()
    nextMonth(-1)
    await createMany(5, live)
    expect(await count('creation_count')).toBe(0)
    expect(await tally(3, { ...live, printsLimit: 6 })).toEqual({ created: 1, quota_exceeded: 2 })
    nextMonth()
    await createMany(7, live)
    await createMany(3, { ...live, organizationId: uuidv7() })
    await createMany(3, { mode: 'test', printsLimit: 1 })
    expect(await tally(60, { ...live, printsLimit: 40 })).toEqual({ created: 33, quota_exceeded: 27 })
  })
})

test('calls with jobs of several organizations at their limits create as many of each as are left, whatever their order', async () => {
  const { jobs } = await start({ testJobsPerDay: 4 })
  const live = { mode: 'live' }
  const kinds: Record<string, { facts: CreationFacts; left: number }> = {
    'some are left': { facts: { ...live, printsLimit: 5 }, left: 5 },
    'none is left': { facts: { ...live, printsLimit: 0 }, left: 0 },
    'no limit': { facts: live, left: 12 },
    'more are left': { facts: { ...live, printsLimit: 100 }, left: 12 },
    'test mode': { facts: { mode: 'test' }, left: 4 },
  }
  const owners = Object.entries(kinds).map(([kind, { facts, left }]) => ({
    kind,
    left,
    facts: { ...facts, organizationId: uuidv7() },
  }))
  /** Three of each; the order differs from call to call. */
  const call = async (offset: number) => {
    const rotated = [...owners.slice(offset), ...owners.slice(0, offset)]
    const asked = [...rotated, ...rotated.toReversed(), ...rotated]
    const creations = asked.map(({ facts }) => jobCreation(jobs, facts))
    const { results } = await createJobs(jobs, create(CreateJobsRequestSchema, { creations }))
    return results.map(({ result }, n) => ({
      kind: asked[n]?.kind ?? '',
      code: result.value && 'code' in result.value ? result.value.code : 'created',
    }))
  }
  const outcomes = (await Promise.all([0, 1, 2, 4].map(call))).flat()
  for (const { kind, left, facts } of owners) {
    const codes = outcomes.filter((outcome) => outcome.kind === kind).map(({ code }) => code)
    const refusal = kind === 'test mode' ? 'test_mode_daily_cap' : 'quota_exceeded'
    expect(codes.toSorted(), kind).toEqual(
      [...Array(left).fill('created'), ...Array(12 - left).fill(refusal)].toSorted(),
    )
    const rows = await jobs.pool.query('SELECT FROM jobs.job WHERE organization_id = $1', [facts.organizationId])
    expect(rows.rowCount, kind).toBe(left)
  }
})

test('a creation that waits for the count of its organization does not hold up other organizations', async () => {
  const { jobs, organizationId, tryCreate, createMany, count } = await start()
  await tryCreate()
  const commit = await holdTransaction(jobs.pool, (client) =>
    client.query('UPDATE jobs.creation_count SET count = count WHERE organization_id = $1', [organizationId]),
  )
  const waiting = tryCreate()
  await untilBlocked(jobs.pool)
  expect(await createMany(3, { organizationId: uuidv7() })).toEqual(Array(3).fill('created'))
  expect(await count('job')).toBe(1)
  await commit()
  expect(await waiting).toBe('created')
})

test('counts are kept until a day after the end of their month', async () => {
  const { jobs, tryCreate, nextMonth, count } = await start()
  await tryCreate()
  await tryCreate({ mode: 'live', printsLimit: 5 })
  nextMonth()
  jobs.advance(DAY_SECONDS - 1)
  await sweepOldRows(jobs)
  expect(await count('creation_count')).toBe(2)
  jobs.advance(1)
  await sweepOldRows(jobs)
  expect(await count('creation_count')).toBe(0)
})
