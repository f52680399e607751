import { create } from '@bufbuild/protobuf'
import { GetJobRequestSchema, ListJobEventsRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { FINAL_STATES, type JobState } from '@platen/resources/job-states.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { createJobs as createRows, type NewJob } from '../../create-jobs.ts'
import { getIdempotencyKey } from '../../rpc/get-idempotency-key.ts'
import { getJob } from '../../rpc/get-job.ts'
import { listJobEvents } from '../../rpc/list-job-events.ts'
import { sweepOldJobs } from '../../timers/sweep-old-jobs.ts'
import { createOneJob, jobCreation, sampleJob, startOwnTestJobs, startTestJobs } from '../start-test-jobs.ts'

const DAY_MS = 24 * 60 * 60_000
const RETENTION_MS = 365 * DAY_MS
const NOT_FOUND = { code: 'not_found' }

/** @param ownDatabase because a sweep with a short retention would delete the jobs of all tests. */
async function start({ ownDatabase = false } = {}) {
  const jobs = await (ownDatabase ? startOwnTestJobs() : startTestJobs())
  const organizationId = uuidv7()
  const tenant = { organizationId, mode: 'live' }
  const count = async (table: 'job' | 'job_event') =>
    (await jobs.pool.query(`SELECT FROM jobs.${table} WHERE ${table === 'job' ? 'id' : 'job_id'} = ANY($1)`, [ids]))
      .rowCount
  const ids: string[] = []
  return {
    jobs,
    tenant,
    ids,
    count,
    sweep: (retentionMs = RETENTION_MS) => sweepOldJobs(jobs, retentionMs, new AbortController().signal),
    async add(ageMs: number, state: JobState = 'done', facts: Partial<NewJob> = {}) {
      const createdAt = new Date(jobs.clock.now().getTime() - ageMs)
      const id = await jobs.addJob({ ...tenant, createdAt, ...facts })
      await jobs.force(id, state)
      ids.push(id)
      return id
    },
    get: (jobId: string) => getJob(jobs, create(GetJobRequestSchema, { ...tenant, jobId })),
    getEvents: (jobId: string) => listJobEvents(jobs, create(ListJobEventsRequestSchema, { ...tenant, jobId })),
    reprint: (value: string) =>
      createOneJob(jobs, jobCreation(jobs, { ...tenant, document: { case: 'reprintOf', value } })),
  }
}

test('an ended job is deleted with its events 365 days after its creation, and not before; a reprint of it gets not_found', async () => {
  proves('job.kept', 'job.deleted', 'job.deleted.reprint')
  const { jobs, add, sweep, get, getEvents, reprint, count, ids } = await start()
  const ended = await Promise.all(FINAL_STATES.map((state) => add(RETENTION_MS, state)))
  // Its id was made before.
  const id = uuidv7({ msecs: jobs.clock.now().getTime() - RETENTION_MS })
  const younger = await add(RETENTION_MS - 1, 'done', { id })
  await expect(reprint(ended[0] ?? '')).rejects.toMatchObject({ code: 'file_expired' })
  await sweep()
  for (const id of ended) {
    await expect(get(id)).rejects.toMatchObject(NOT_FOUND)
    await expect(getEvents(id)).rejects.toMatchObject(NOT_FOUND)
    await expect(reprint(id)).rejects.toMatchObject(NOT_FOUND)
  }
  expect([await count('job'), await count('job_event')]).toEqual([1, 1])
  expect((await getEvents(younger)).events).toHaveLength(1)
  const { rowCount } = await jobs.pool.query(
    `SELECT FROM jobs.event_log WHERE (body::jsonb -> 'data' ->> 'id')::uuid = ANY($1)`,
    [ids],
  )
  expect(rowCount).toBe(ids.length)
})

test('the pairs of a deleted job are deleted, and those of others are kept', async () => {
  const { jobs, tenant, sweep } = await start()
  const metadata = { order: '4711', till: '2' }
  const add = async (ageMs: number) => {
    const createdAt = new Date(jobs.clock.now().getTime() - ageMs)
    const id = await jobs.addJob({ ...tenant, createdAt, metadata })
    await jobs.force(id, 'done')
    return id
  }
  const [, kept] = [await add(RETENTION_MS), await add(0)]
  // Both are of one transaction, and one has not ended.
  const createdAt = new Date(jobs.clock.now().getTime() - RETENTION_MS)
  const together = [0, 1].map(() => ({ ...sampleJob(createdAt), ...tenant, metadata }))
  await createRows(jobs.pool, together)
  const [ended = '', waiting = ''] = together.map(({ id }) => id)
  await jobs.force(ended, 'done')
  await sweep()
  const { rows } = await jobs.pool.query<{ key: string; id: string }>(
    'SELECT key, id FROM jobs.job_metadata WHERE organization_id = $1 ORDER BY key, id',
    [tenant.organizationId],
  )
  const ids = [kept, waiting].toSorted()
  expect(rows).toEqual(Object.keys(metadata).flatMap((key) => ids.map((id) => ({ key, id }))))
})

test('a sweep does not wait for a job that another replica is deleting, and the next one deletes it if that fails', async () => {
  const { jobs, add, sweep, count } = await start()
  const [first = ''] = [await add(RETENTION_MS), await add(RETENTION_MS)]
  const other = await jobs.pool.connect()
  onTestFinished(() => other.release(true))
  await other.query('BEGIN')
  await other.query('DELETE FROM jobs.job WHERE id = $1', [first])
  await sweep()
  expect([await count('job'), await count('job_event')]).toEqual([1, 1])
  await other.query('ROLLBACK')
  await sweep()
  expect(await count('job')).toBe(0)
})

test('a job that has not ended is kept until it ends', async () => {
  proves('job.kept.unfinished')
  const { jobs, add, sweep, get } = await start()
  const states: JobState[] = ['queued', 'sent', 'received', 'printing']
  const waiting = await Promise.all(states.map((state) => add(2 * RETENTION_MS, state)))
  await sweep()
  for (const [n, id] of waiting.entries()) expect((await get(id)).job).toMatchObject({ state: states[n] })
  for (const id of waiting) await jobs.force(id, 'expired')
  await sweep()
  for (const id of waiting) await expect(get(id)).rejects.toMatchObject(NOT_FOUND)
})

test('a sweep deletes jobs also behind the 200 of one transaction, of which most have not ended', async () => {
  const { jobs, add, sweep, count, ids } = await start()
  const ended = await add(2 * RETENTION_MS)
  const { rows } = await jobs.pool.query<{ id: string }>(
    `WITH copied AS (
       INSERT INTO jobs.job (${COPIED}, id, state, final_state)
       SELECT ${COPIED}, uuidv7(-interval '700 days'), CASE WHEN n <= 200 THEN 'queued' ELSE 'done' END,
         CASE WHEN n > 200 THEN 'done' END
       FROM jobs.job, generate_series(1, 210) AS n WHERE id = $1 RETURNING id
     ), event AS (
       INSERT INTO jobs.job_event (id, job_id, sequence, state, actor, created_at)
       SELECT uuidv7(), id, 1, 'queued', 'api', now() FROM copied
     ) SELECT id FROM copied`,
    [ended],
  )
  ids.push(...rows.map(({ id }) => id))
  await sweep()
  expect([await count('job'), await count('job_event')]).toEqual([200, 200])
  await jobs.pool.query('DELETE FROM jobs.job WHERE id = ANY($1)', [ids])
})

const COPIED = `organization_id, mode, printer_id, computer_id, title, content_type, source, qty, options, expire_after_seconds, expires_at,
  version, traceparent, created_at`

test('an idempotency key of a deleted job is deleted before the job, so that a retry creates a new one', async () => {
  const { jobs, tenant, sweep, get } = await start({ ownDatabase: true })
  const idempotency = { key: 'k', bodyHashes: [Buffer.from('the body')] }
  const { id } = await createOneJob(jobs, jobCreation(jobs, { ...tenant, idempotency }))
  await jobs.force(id, 'done')
  jobs.advance(DAY_MS / 1000)
  await sweep(DAY_MS)
  await expect(get(id)).rejects.toMatchObject(NOT_FOUND)
  expect(await getIdempotencyKey(jobs, { ...tenant, idempotency } as never)).toEqual({})
})
