import { untilSettled } from '@platen/test/harness/until-settled.ts'
import { Client, type Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createJobRow } from '../../create-job-row.ts'
import { listOf, sampleJob, startOwnTestJobs } from '../start-test-jobs.ts'

test('a list of jobs from the oldest ends before the oldest open transaction, so that a poller misses none; newest first does not [convention.cursor.polling]', async () => {
  const jobs = await startOwnTestJobs()
  const tenant = { organizationId: uuidv7(), mode: 'test' }
  const list = listOf(jobs, tenant)
  const listed = async (ascending: boolean) => (await list({ page: { ascending } })).ids
  const slow = new Client({ connectionString: jobs.databaseUrl })
  await slow.connect()
  await slow.query('BEGIN')
  const first = { ...sampleJob(jobs.clock.now()), ...tenant }
  await createJobRow(slow as unknown as Pool, first, 'api')
  const second = await jobs.addJob(tenant)
  expect([await listed(true), await listed(false)]).toEqual([[], [second]])
  await slow.query('COMMIT')
  await slow.end()
  await untilSettled(jobs.pool)
  expect([await listed(true), await listed(false)]).toEqual([
    [first.id, second],
    [second, first.id],
  ])
})
