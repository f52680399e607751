import { copyJob } from '@platen/test/harness/copy-job.ts'
import type { QueryConfig } from 'pg'
import { expect, test } from 'vitest'
import { sweepDiscarded } from '../../timers/sweep-discarded.ts'
import { startTestJobs } from '../start-test-jobs.ts'

test('a document that the store does not delete is deleted by the next sweep', async () => {
  const jobs = await startTestJobs()
  const id = await jobs.addJob({ retain: false })
  const { storage_key: storageKey } = await jobs.row(id)
  await jobs.force(id, 'done')
  const { signal } = new AbortController()
  const unavailable = { delete: () => Promise.reject(new Error('a test')) }
  await expect(sweepDiscarded(jobs, unavailable, signal)).rejects.toThrow('a test')
  const deleted: string[] = []
  for (let n = 0; n < 2; n++) await sweepDiscarded(jobs, { delete: async (key) => void deleted.push(key) }, signal)
  expect(deleted).toEqual([storageKey])
})

test('only documents of ended jobs that are not retained are deleted, stored and small ones, and a sweep ends', async () => {
  const jobs = await startTestJobs()
  const small = { storageKey: null, content: Buffer.from('small') }
  const ids = [
    await jobs.addJob({ ...small, retain: false }),
    await jobs.addJob({ ...small, retain: true }),
    await jobs.addJob({ retain: true }),
    await jobs.addJob({ storageKey: null, retain: false }),
  ]
  for (const id of ids) await jobs.force(id, 'done')
  // A full batch of jobs without a document.
  await copyJob(jobs.pool, ids[3] ?? '', 100)
  const stopping = new AbortController()
  let statements = 0
  const query = async (statement: QueryConfig) => {
    if (++statements > 10) stopping.abort()
    return await jobs.pool.query(statement)
  }
  const pool = Object.assign(Object.create(jobs.pool), { query })
  await sweepDiscarded({ ...jobs, pool }, { delete: async () => undefined }, stopping.signal)
  expect(stopping.signal.aborted).toBe(false)
  const { rows } = await jobs.pool.query(
    `SELECT storage_key IS NOT NULL AS stored, has_inline_document AS small, document.job_id IS NOT NULL AS is_there
     FROM jobs.job LEFT JOIN jobs.document ON job_id = job.id WHERE id = ANY($1) ORDER BY array_position($1, id)`,
    [ids.slice(0, 3)],
  )
  expect(rows).toEqual([
    { stored: false, small: false, is_there: false },
    { stored: false, small: true, is_there: true },
    { stored: true, small: false, is_there: false },
  ])
})

test('a job that is not retained keeps its document until it has ended, and a retained one also after that', async () => {
  const jobs = await startTestJobs()
  const ids = [await jobs.addJob({ retain: false }), await jobs.addJob({ retain: true })]
  await jobs.force(ids[1] ?? '', 'done')
  const readKeys = async () => await Promise.all(ids.map(async (id) => (await jobs.row(id)).storage_key))
  const before = await readKeys()
  const deleted: string[] = []
  const { signal } = new AbortController()
  await sweepDiscarded(jobs, { delete: async (key) => void deleted.push(key) }, signal)
  for (const key of before) expect(deleted).not.toContain(key)
  expect(before.every((key) => typeof key === 'string')).toBe(true)
  expect(await readKeys()).toEqual(before)
})
