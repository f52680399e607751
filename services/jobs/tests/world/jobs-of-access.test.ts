/** Jobs of a print access, which its computer asks for. */
import { create } from '@bufbuild/protobuf'
import { CreateJobsRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { UNFINISHED_STATES } from '@platen/resources/job-states.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createJobs } from '../../rpc/create-jobs.ts'
import { createNumberedList } from '../../rpc/list-numbered-jobs.ts'
import { type CreationFacts, jobCreation, startTestJobs } from '../start-test-jobs.ts'

test('jobs of a print access are its own of the organization and mode, and each filter selects among them', async () => {
  const jobs = await startTestJobs()
  const list = createNumberedList(jobs)
  const own = { organizationId: uuidv7(), mode: 'live', createdBy: `print_access:${uuidv7()}` }
  const [printerId, destinationId] = [uuidv7(), uuidv7()]
  const add = async (facts: CreationFacts) => {
    const creations = [jobCreation(jobs, { ...own, interface: 'ipp', ...facts })]
    const { results } = await createJobs(jobs, create(CreateJobsRequestSchema, { creations }))
    return results[0]?.result.case === 'job' ? results[0].result.value : expect.fail('no job')
  }
  await add({ printerId })
  await add({ printerId, destinationId })
  const done = await add({})
  await jobs.force(done.id, 'done')
  await add({ createdBy: `print_access:${uuidv7()}` })
  await add({ interface: undefined })
  await add({ mode: 'test' })
  await add({ organizationId: uuidv7() })
  const read = async (facts: object = {}) => {
    const request = { ...own, numbers: [], printerIds: [], states: [], limit: 100, ascending: false, ...facts }
    return (await list(request as never)).jobs.map(({ number }) => number)
  }
  expect(await read()).toEqual([3, 2, 1])
  expect(await read({ ascending: true })).toEqual([1, 2, 3])
  expect(await read({ limit: 2 })).toEqual([3, 2])
  expect(await read({ numbers: [{ from: 2, to: 2 }] })).toEqual([2])
  expect(await read({ after: 3 })).toEqual([2, 1])
  expect(await read({ after: 1, ascending: true })).toEqual([2, 3])
  expect(await read({ printerIds: [printerId] })).toEqual([2, 1])
  expect(await read({ destinationId })).toEqual([2])
  expect(await read({ destinationId: '' })).toEqual([3, 1])
  expect(await read({ states: [...UNFINISHED_STATES] })).toEqual([2, 1])
  expect(await read({ states: ['sent'] })).toEqual([])
  expect(await read({ states: ['done', 'error'] })).toEqual([3])
  expect(await read({ mode: 'test' })).toEqual([1])
  const ranges = [1, 3].map((number) => ({ from: number, to: number }))
  await expect(read({ numbers: ranges })).rejects.toMatchObject({ code: 'invalid_request' })
})
