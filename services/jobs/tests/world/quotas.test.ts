import type { ApiError } from '@platen/runtime/errors.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { FETCHES_OF_ORGANIZATION_MAX } from '../../fetches/lease-fetches.ts'
import { createDatabaseLimit } from '../../limits/database-limit.ts'
import { createJobsPerDayQuota, createStoredBytesQuota, createUnfinishedJobsQuota } from '../../limits/quotas.ts'
import { heldServer, PDF, startTestFetches } from '../start-test-fetches.ts'
import { type CreationFacts, createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

/** The largest size that `jobs.job` can hold. Ten of them are 10 bytes less than the default quota. */
const LARGE_BYTES = 2 ** 31 - 1

async function start() {
  const jobs = await startTestJobs()
  const organizationId = uuidv7()
  const create = async (facts: CreationFacts = {}) =>
    (await createOneJob(jobs, jobCreation(jobs, { organizationId, mode: 'live', ...facts }))).id
  const addLargeDocuments = async (count: number, createdAt: Date) => {
    for (let n = 0; n < count; n++) await jobs.addJob({ organizationId, fileSizeBytes: LARGE_BYTES, createdAt })
  }
  return { jobs, organizationId, create, addLargeDocuments }
}

test('at the limit of unfinished jobs the creations of an organization and mode are refused until some have ended', async () => {
  proves('unfinished.n', 'unfinished.n-plus-1', 'unfinished.retry-after', 'unfinished.per-mode', 'unfinished.replay')
  const { jobs, create } = await start()
  jobs.unfinishedJobs = createUnfinishedJobsQuota(jobs.pool, 3)
  const idempotency = { key: 'k', bodyHashes: [Buffer.from('the body')] }
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

test('at the limit of stored bytes the documents of an organization are refused until some are deleted', async () => {
  proves('stored.n', 'stored.n-plus-1', 'stored.replay', 'stored.not-needed')
  const { jobs, create, addLargeDocuments } = await start()
  await addLargeDocuments(10, new Date(jobs.clock.now().getTime() - jobs.fileRetentionMs + 30_000))
  const idempotency = { key: 'k', bodyHashes: [Buffer.from('the body')] }
  const first = await create({ idempotency })
  await jobs.storedBytes.sweep()
  await create()
  await jobs.storedBytes.sweep()
  const refused = { code: 'quota_exceeded', message: expect.stringMatching(/21,474,836,480 bytes/) }
  await expect(create()).rejects.toMatchObject(refused)
  await expect(create({ mode: 'test' })).rejects.toMatchObject(refused)
  const url = { url: 'https://files.example.com/a.pdf' }
  await expect(create({ document: { case: 'fetch', value: url } })).rejects.toMatchObject(refused)
  expect(await create({ idempotency })).toBe(first)
  await create({ document: { case: 'reprintOf', value: first } })
  const inline = { content: Buffer.from('%PDF-'), sizeBytes: 5n, sha256: 'ab'.repeat(32) }
  await expect(create({ document: { case: 'stored', value: inline } })).rejects.toMatchObject(refused)
  const other = { organizationId: uuidv7() }
  for (let n = 0; n < 2; n++) {
    await create(other)
    await jobs.storedBytes.sweep()
  }
  jobs.advance(60)
  await jobs.storedBytes.sweep()
  await create()
})

test('an organization whose documents are far below the limit is summed again only after a tenth of the rest', async () => {
  proves('stored.interval')
  const { jobs, create, addLargeDocuments } = await start()
  await create()
  await jobs.storedBytes.sweep()
  await addLargeDocuments(11, jobs.clock.now())
  await create()
  await jobs.storedBytes.sweep()
  await create({
    document: { case: 'stored', value: { storageKey: uuidv7(), sizeBytes: BigInt(LARGE_BYTES), sha256: '' } },
  })
  await jobs.storedBytes.sweep()
  await expect(create()).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('fetches that were accepted below the limit of stored bytes end in error at the limit', async () => {
  proves('stored.fetches')
  const { answer, waiting, waits } = heldServer()
  const { create, failed, jobs, world } = await startTestFetches(answer)
  const organizationId = uuidv7()
  for (let n = 0; n < FETCHES_OF_ORGANIZATION_MAX; n++) await create({ organizationId })
  await waits(FETCHES_OF_ORGANIZATION_MAX)
  const last = await create({ organizationId })
  for (let n = 0; n < 11; n++) await jobs.addJob({ organizationId, fileSizeBytes: LARGE_BYTES })
  await world.sweep('jobs', 'quotas')
  waiting[0]?.end(PDF)
  expect(await failed(last.id)).toMatchObject({
    state_reasons: ['fetch-failed'],
    state_message: 'The organization has reached its limit of stored documents.',
  })
})

test('small documents in the database count as stored bytes, also those of reprints, and exactly the limit is the limit', async () => {
  proves('stored.small')
  const { jobs, create } = await start()
  jobs.storedBytes = createStoredBytesQuota(jobs, 24)
  const inline = { content: Buffer.from('%PDF-1.7'), sizeBytes: 8n, sha256: 'ab'.repeat(32) }
  const first = await create({ document: { case: 'stored', value: inline } })
  await create({ document: { case: 'reprintOf', value: first } })
  await jobs.storedBytes.sweep()
  const last = await create({ document: { case: 'reprintOf', value: first } })
  await jobs.storedBytes.sweep()
  await expect(create({ document: { case: 'reprintOf', value: last } })).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
})

test('a reprint shares the stored document of its original, which counts once; a deleted document does not count', async () => {
  const { jobs, create } = await start()
  jobs.storedBytes = createStoredBytesQuota(jobs, 16)
  const first = await create()
  await create({ document: { case: 'reprintOf', value: first } })
  const deleted = await create()
  await jobs.pool.query('UPDATE jobs.job SET storage_key = NULL WHERE id = $1', [deleted])
  await jobs.storedBytes.sweep()
  await create()
  jobs.advance(10 * 60)
  await jobs.storedBytes.sweep()
  await expect(create()).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('at the limit of live jobs in 24 hours creations are refused until older ones do not count', async () => {
  proves('live-jobs.n', 'live-jobs.n-plus-1', 'live-jobs.24h', 'live-jobs.test')
  const { jobs, create } = await start()
  jobs.jobsPerDay = createJobsPerDayQuota(jobs, 3)
  await create()
  jobs.advance(60 * 60)
  await create()
  await jobs.jobsPerDay.sweep()
  await create()
  await jobs.jobsPerDay.sweep()
  const refused = { code: 'rate_limited', retryAfterSeconds: 60, message: expect.stringMatching(/3 live jobs/) }
  await expect(create()).rejects.toMatchObject(refused)
  await create({ mode: 'test' })
  const other = { organizationId: uuidv7() }
  for (const mode of ['test', 'test', 'test', 'live', 'live', 'live']) {
    await jobs.jobsPerDay.sweep()
    await create({ ...other, mode })
  }
  jobs.advance(23 * 60 * 60 - 1)
  await jobs.jobsPerDay.sweep()
  await expect(create()).rejects.toMatchObject(refused)
  jobs.advance(61)
  await jobs.jobsPerDay.sweep()
  await create()
})

test('creations are refused from the maximum size of the database on', async () => {
  proves('storage.database')
  const { jobs, create } = await start()
  const { rows } = await jobs.pool.query('SELECT pg_database_size(current_database()) AS bytes')
  const bytes = Number(rows[0].bytes)
  const refused = { code: 'storage_unavailable', retryAfterSeconds: 60, message: expect.stringMatching(/database/) }
  for (const [maxBytes, isRefused] of [
    [bytes / 2, true],
    [bytes * 2, false],
    [0, false],
  ] as const) {
    jobs.databaseLimit = createDatabaseLimit(jobs.pool, maxBytes)
    await create()
    await jobs.databaseLimit.sweep()
    if (isRefused) await expect(create()).rejects.toMatchObject(refused)
    else await create()
  }
})
