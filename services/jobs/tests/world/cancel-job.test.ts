import { create } from '@bufbuild/protobuf'
import { CancelJobRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { cancelJob } from '../../rpc/cancel-job.ts'
import { startTestJobs } from '../start-test-jobs.ts'

async function startWithJob() {
  const jobs = await startTestJobs()
  const [organizationId, computerId] = [uuidv7(), uuidv7()]
  const jobId = await jobs.addJob({ organizationId, mode: 'test', computerId })
  const cancel = () =>
    cancelJob(jobs, create(CancelJobRequestSchema, { organizationId, mode: 'test', jobId, actor: 'api' }))
  return { jobs, jobId, computerId, cancel }
}

test.each(['queued', 'sent'] as const)(
  'a job in %s is cancelled by the API, and its computer is woken [endpoint.POST.printjobs.id.cancel]',
  async (state) => {
    const { jobs, jobId, computerId, cancel } = await startWithJob()
    await jobs.force(jobId, state)
    jobs.advance(5)
    const { job } = await cancel()
    expect(job).toMatchObject({ id: jobId, state: 'cancelled' })
    expect((await jobs.row(jobId)).finished_at).toEqual(jobs.clock.now())
    expect(await jobs.eventStates(jobId)).toEqual(['queued', 'cancelled'])
    expect(await jobs.eventActors(jobId)).toEqual(['api', 'api'])
    expect(jobs.timesWoken(computerId)).toBe(1)
  },
)

test.each([
  ['received', /its computer has received it/],
  ['printing', /it is being printed/],
  ['done', /it has ended/],
  ['error', /it has ended/],
  ['cancelled', /it is cancelled already/],
  ['expired', /it has ended/],
] as const)(
  'a job in %s cannot be cancelled, and the error gives the reason [print-job.cancel.$0]',
  async (state, why) => {
    const { jobs, jobId, cancel } = await startWithJob()
    await jobs.force(jobId, state)
    const refusal = await cancel().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'not_cancellable', message: expect.stringMatching(why) })
    expect(refusal).toMatchObject({ message: expect.stringContaining(`\`${state}\``) })
    expect(await jobs.stateOf(jobId)).toBe(state)
    expect(await jobs.eventStates(jobId)).toEqual(['queued'])
  },
)
