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
