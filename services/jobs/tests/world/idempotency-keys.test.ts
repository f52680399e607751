import { create } from '@bufbuild/protobuf'
import { CreateJobsRequestSchema, GetIdempotencyKeyRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createJobs } from '../../rpc/create-jobs.ts'
import { getIdempotencyKey } from '../../rpc/get-idempotency-key.ts'
import { sweepOldRows } from '../../timers/sweep-old-rows.ts'
import { type CreationFacts, createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

const DAY_SECONDS = 24 * 60 * 60
const bodyHashes = [Buffer.from('the body')]
const otherHash = Buffer.from('the body ')
const REUSED = { code: 'idempotency_key_reused' }

async function start() {
  const jobs = await startTestJobs()
  const tenant = { organizationId: uuidv7(), mode: 'live' }
  const creation = (facts: CreationFacts = {}) =>
    jobCreation(jobs, { ...tenant, idempotency: { key: 'k', bodyHashes }, ...facts })
  return {
    jobs,
    tenant,
    creation,
    createOne: async (facts?: CreationFacts) => (await createOneJob(jobs, creation(facts))).id,
    /** In one call. @returns the jobs by their ids, replays marked. */
    async createAll(...facts: CreationFacts[]) {
      const creations = facts.map(creation)
      const { results } = await createJobs(jobs, create(CreateJobsRequestSchema, { creations }))
      return results.map(
        ({ result, replayed }) => `${result.case === 'job' ? result.value.id : ''}${replayed ? ' again' : ''}`,
      )
    },
    /** @returns the id of the key's job. */
    async find(facts: { organizationId?: string; mode?: string } = {}, idempotency = { key: 'k', bodyHashes }) {
      const request = create(GetIdempotencyKeyRequestSchema, { ...tenant, idempotency, ...facts })
      return (await getIdempotencyKey(jobs, request)).job?.id
    },
    count: async (table: string) =>
      (await jobs.pool.query(`SELECT FROM jobs.${table} WHERE organization_id = $1`, [tenant.organizationId])).rowCount,
  }
}

test('of 20 creations with one key at once one makes a job, and the others have that job as a replay', async () => {
  proves('idempotency.replay.once')
  const { createAll, find, count } = await start()
  const results = (await Promise.all(Array.from({ length: 20 }, () => createAll({})))).flat()
  const id = await find()
  expect(results.toSorted()).toEqual([id, ...Array(19).fill(`${id} again`)])
  expect(await count('job')).toBe(1)
})

test('of 20 creations with one key and other bodies at once one makes a job, and the others are refused', async () => {
  const { createOne, count } = await start()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      createOne({ idempotency: { key: 'k', bodyHashes: [Buffer.from(`body ${n}`)] } }),
    ),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toEqual(Array(19).fill({ status: 'rejected', reason: expect.objectContaining(REUSED) }))
  expect(await count('job')).toBe(1)
})

test('a key shows its job to the same body, and is of one organization and mode', async () => {
  const { createOne, find, tenant } = await start()
  expect(await find()).toBeUndefined()
  const id = await createOne()
  expect(await find()).toBe(id)
  await expect(find({}, { key: 'k', bodyHashes: [otherHash] })).rejects.toMatchObject(REUSED)
  expect(await find({}, { key: 'K', bodyHashes })).toBeUndefined()
  for (const other of [{ organizationId: uuidv7() }, { mode: 'test' }]) {
    expect(await find(other)).toBeUndefined()
    const otherId = await createOne(other)
    expect(await find({ ...tenant, ...other })).toBe(otherId)
  }
  expect(await find()).toBe(id)
})

test('a creation that is refused leaves no key', async () => {
  const { createOne, find } = await start()
  await expect(createOne({ printsLimit: 0 })).rejects.toMatchObject({ code: 'quota_exceeded' })
  await expect(createOne({ document: { case: 'reprintOf', value: uuidv7() } })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await find()).toBeUndefined()
  expect(await createOne({ idempotency: { key: 'k', bodyHashes: [otherHash] } })).toEqual(expect.any(String))
})

test('a key that has a job in one mode or organization does not hide a refusal in another one', async () => {
  const { createOne, jobs } = await start()
  Object.assign(jobs, { testJobsPerDay: 0 })
  await createOne()
  await expect(createOne({ mode: 'test' })).rejects.toMatchObject({ code: 'test_mode_daily_cap' })
  await expect(createOne({ organizationId: uuidv7(), printsLimit: 0 })).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
  const other = { idempotency: { key: 'other', bodyHashes } }
  await expect(createOne({ ...other, printsLimit: 0 })).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('a replay is neither counted nor refused at the limit, also when both creations come at once', async () => {
  const { createAll, find, count } = await start()
  const limited = { printsLimit: 1 }
  const results = await Promise.all(Array.from({ length: 8 }, () => createAll(limited)))
  const id = await find()
  expect(results.flat().toSorted()).toEqual([id, ...Array(7).fill(`${id} again`)])
  expect(await createAll(limited)).toEqual([`${id} again`])
  expect(await count('job')).toBe(1)
})

test('a replay that waits while the first creation takes the last place of a limit is not refused', async () => {
  const { jobs, creation, createAll, createOne } = await start()
  const limited = { printsLimit: 2 }
  await createOne({ ...limited, idempotency: undefined })
  const client = await jobs.pool.connect()
  await client.query('BEGIN')
  const { id } = await createOneJob({ ...jobs, pool: client as unknown as Pool }, creation(limited))
  const replaying = createAll(limited)
  await untilBlocked(jobs.pool)
  await client.query('COMMIT')
  client.release()
  expect(await replaying).toEqual([`${id} again`])
})

test('two creations with one key in one call create nothing; one by one they are a job and its replay', async () => {
  const { createAll, createOne, count } = await start()
  await expect(createAll({ idempotency: undefined }, {}, {})).rejects.toThrow('idempotency_key_pkey')
  expect([await count('job'), await count('idempotency_key')]).toEqual([0, 0])
  const id = await createOne()
  expect(await createAll({ idempotency: undefined }, {})).toEqual([expect.stringMatching(/^[^ ]+$/), `${id} again`])
  expect(await count('job')).toBe(2)
})

test('a key counts until it is swept, which is 24 hours after its job was created, also with more keys than one batch', async () => {
  proves('idempotency.kept.24h', 'idempotency.kept.longer')
  const { jobs, createOne, count, find } = await start()
  const id = await createOne()
  // Their jobs would only be in the way of other tests.
  await jobs.pool.query(
    `INSERT INTO jobs.idempotency_key (organization_id, mode, key, body_hash, job_id, created_at)
     SELECT organization_id, mode, key || n, body_hash, job_id, created_at
     FROM jobs.idempotency_key, generate_series(1, 1001) AS n WHERE job_id = $1`,
    [id],
  )
  jobs.advance(1)
  await createOne({ idempotency: { key: 'younger', bodyHashes } })
  jobs.advance(DAY_SECONDS - 1.001)
  await sweepOldRows(jobs)
  expect(await count('idempotency_key')).toBe(1_003)
  jobs.advance(0.001)
  expect(await createOne()).toBe(id)
  await sweepOldRows(jobs)
  expect(await count('idempotency_key')).toBe(1)
  expect(await createOne()).not.toBe(id)
  expect(await find()).not.toBe(id)
})
