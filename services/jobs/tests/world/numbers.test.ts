import { create } from '@bufbuild/protobuf'
import { CreateJobsRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { NUMBER } from '@platen/resources/limits.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createJobs } from '../../rpc/create-jobs.ts'
import { deleteOrganization } from '../../rpc/delete-organization.ts'
import { type CreationFacts, jobCreation, startTestJobs } from '../start-test-jobs.ts'

async function start() {
  const jobs = await startTestJobs()
  const tenant = { organizationId: uuidv7(), mode: 'live' }
  const createAll = async (...all: CreationFacts[]) => {
    const creations = all.map((facts) => jobCreation(jobs, { ...tenant, ...facts }))
    const { results } = await createJobs(jobs, create(CreateJobsRequestSchema, { creations }))
    return results.map(({ result }) => (result.case === 'job' ? result.value.number : result.value?.code))
  }
  const setLast = (last: number) =>
    jobs.pool.query('UPDATE jobs.job_number SET last = $2 WHERE organization_id = $1', [tenant.organizationId, last])
  return { jobs, tenant, createAll, setLast }
}

test('jobs are numbered from 1 per organization and mode, in the order of their creations, without a gap for a refused one', async () => {
  proves('print-jobs.number')
  const { createAll } = await start()
  const other = uuidv7()
  expect(
    await createAll({}, { mode: 'test' }, { organizationId: other }, { printsLimit: 0, organizationId: uuidv7() }, {}),
  ).toEqual([1, 1, 1, 'quota_exceeded', 2])
  expect(await createAll({}, { organizationId: other }, { mode: 'test' })).toEqual([3, 2, 2])
})

test('concurrent creations get different numbers, and a repeated one keeps its number', async () => {
  const { createAll } = await start()
  const jobId = uuidv7()
  const numbers = (await Promise.all(Array.from({ length: 8 }, () => createAll({}, {})))).flat()
  expect(numbers.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 16 }, (_, n) => n + 1))
  expect(await createAll({ jobId })).toEqual([17])
  expect(await createAll({ jobId }, {})).toEqual([17, 18])
})

test('the last number is 2,147,483,647; later jobs have none', async () => {
  proves('print-jobs.number.max')
  const { createAll, setLast } = await start()
  await createAll({})
  await setLast(NUMBER.max - 1)
  expect(await createAll({}, {})).toEqual([NUMBER.max, undefined])
  expect(await createAll({})).toEqual([undefined])
})

test('a deleted organization leaves no counter', async () => {
  const { jobs, tenant, createAll } = await start()
  await createAll({})
  const { removed } = await deleteOrganization(jobs, { delete: async () => undefined }, tenant as never)
  expect(removed).toMatchObject({ job: 1, job_number: 1 })
})
