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
