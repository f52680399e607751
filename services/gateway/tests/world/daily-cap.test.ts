/** The daily cap of test jobs. Source: specification, "Limits". */
import { createApi } from '@platen/test/harness/api.ts'
import { expect, test } from 'vitest'
import { expectError, newPrinting } from '../client.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Moves the clock to a time of the next UTC day, and sets the organization's count of that day. */
async function newCounted(count: number, timeOfDayMs: number) {
  const printing = await newPrinting('test')
  const { api, id, job, world } = printing
  world.advance(DAY_MS - (world.clock.now().getTime() % DAY_MS) + timeOfDayMs)
  await api.createJob(job())
  await world.query('UPDATE jobs.creation_count SET count = $2 WHERE organization_id = $1', [id, count])
  return printing
}

test('the 500th test job of a UTC day is accepted and the 501st is not, by whichever keys and however many at once [daily-cap.500 daily-cap.501 daily-cap.per-organization daily-cap.retry-after error.429.test_mode_daily_cap]', async () => {
  const { url, addKey, job, jobIds, expectFilesOfJobs } = await newCounted(490, DAY_MS / 2 + 500)
  const apis = await Promise.all(Array.from({ length: 3 }, async () => createApi(url, await addKey('test', ['print']))))
  const creations = apis.flatMap((api) => Array.from({ length: 10 }, () => api.post('/v1/printjobs', job())))
  const refused = (await Promise.all(creations)).filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(20)
  for (const answer of refused) {
    expectError(answer, 429, 'test_mode_daily_cap', /500 test jobs/)
    // 43,199.5 s, in whole seconds that are enough.
    expect(answer.headers.get('retry-after')).toBe('43200')
  }
  expect(await jobIds()).toHaveLength(11)
  await expectFilesOfJobs()
})

test('past the cap live jobs and other organizations are accepted, and on the next UTC day all [daily-cap.live daily-cap.next-day]', async () => {
  const { api, liveKey, url, job, addPrinter, world } = await newCounted(500, 0)
  const live = createApi(url, liveKey)
  await live.createJob(job({ printerId: (await addPrinter('live')).id }))
  const other = await newPrinting('test')
  await other.api.createJob(other.job())
  expectError(await api.post('/v1/printjobs', job()), 429, 'test_mode_daily_cap')
  world.advance(DAY_MS - 1)
  expectError(await api.post('/v1/printjobs', job()), 429, 'test_mode_daily_cap')
  world.advance(1)
  await api.createJob(job())
})
