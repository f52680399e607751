import type { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createUnfinishedJobsQuota } from '../../quotas.ts'
import { type CreationFacts, createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

async function start() {
  const jobs = await startTestJobs()
  const organizationId = uuidv7()
  const create = async (facts: CreationFacts = {}) =>
    (await createOneJob(jobs, jobCreation(jobs, { organizationId, mode: 'live', ...facts }))).id
  return { jobs, organizationId, create }
}

test('at the limit of unfinished jobs the creations of an organization and mode are refused until some have ended [unfinished.n unfinished.n-plus-1 unfinished.retry-after unfinished.per-mode unfinished.replay]', async () => {
  const { jobs, create } = await start()
  jobs.unfinishedJobs = createUnfinishedJobsQuota(jobs.pool, 3)
  const idempotency = { key: 'k', bodyHash: Buffer.from('the body') }
  const first = await create({ idempotency })
  await create()
  await jobs.unfinishedJobs.sweep()
  const third = await create()
  await jobs.unfinishedJobs.sweep()
  const refused = await create().catch((error: ApiError) => error)
  expect(refused).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60, message: expect.stringMatching(/ 3 /) })
  expect(await create({ idempotency })).toBe(first)
  await create({ mode: 'test' })
  await create({ organizationId: uuidv7() })
  await jobs.unfinishedJobs.sweep()
  await expect(create()).rejects.toMatchObject({ code: 'rate_limited' })
  await jobs.force(third, 'done')
  await jobs.unfinishedJobs.sweep()
  await create()
})
