/** The daily cap of test jobs, through the real gateway and the real jobs service. Source: specification, "Limits". */
import { expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { LIVE_PRINTER_ID, OTHER_ORGANIZATION_ID, startTestCreation } from './start-test-creation.ts'
import { printJob } from './start-test-gateway.ts'

test('of 600 creations at once, by 60 keys of one organization, 500 are accepted and 100 wait for the next UTC day', async () => {
  const { client, clock, jobIds, services } = await startTestCreation()
  clock.advanceSeconds(12 * 60 * 60 + 0.5)
  const clients = Array.from({ length: 60 }, () => client())
  const creations = clients.flatMap((one) => Array.from({ length: 10 }, () => one.post('/v1/printjobs', printJob())))
  const answers = await Promise.all(creations)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(100)
  for (const answer of refused) {
    expectError(answer, 429, 'test_mode_daily_cap', /500 test jobs/)
    // 43,199.5 s, in whole seconds that are enough.
    expect(answer.headers.get('retry-after')).toBe('43200')
  }
  expect(await jobIds()).toHaveLength(500)
  expect(await services.storedFiles()).toHaveLength(500)
})

test('past the cap live jobs and other organizations go on, and so does everybody on the next UTC day', async () => {
  const { api, client, clock } = await startTestCreation({ testJobsPerDay: 2 })
  const live = client('live')
  await live.createJob(printJob({ printerId: LIVE_PRINTER_ID }))
  await api.createJob(printJob())
  await client().createJob(printJob())
  expectError(await client().post('/v1/printjobs', printJob()), 429, 'test_mode_daily_cap')
  await live.createJob(printJob({ printerId: LIVE_PRINTER_ID }))
  await client('test', OTHER_ORGANIZATION_ID).createJob(printJob())
  clock.advanceSeconds(24 * 60 * 60 - 0.001)
  expectError(await api.post('/v1/printjobs', printJob()), 429, 'test_mode_daily_cap')
  clock.advanceSeconds(0.001)
  await api.createJob(printJob())
})
