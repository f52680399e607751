import { create } from '@bufbuild/protobuf'
import {
  AgentTrigger,
  CancelJobRequestSchema,
  ClaimJobsRequestSchema,
  ReconcileComputerRequestSchema,
  RecordAgentUpdatesRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { cancelJob } from '../rpc/cancel-job.ts'
import { claimJobs } from '../rpc/claim-jobs.ts'
import { reconcileComputer } from '../rpc/reconcile-computer.ts'
import { recordAgentUpdates } from '../rpc/record-agent-updates.ts'
import { startTestJobs, type TestJobs } from './start-test-jobs.ts'

const organizationId = uuidv7()
const tenant = { organizationId, mode: 'test' }

const cancel = (jobs: TestJobs, jobId: string, by = tenant) =>
  cancelJob(jobs, create(CancelJobRequestSchema, { ...by, jobId, actor: 'api' }))

test.each(['queued', 'sent'] as const)(
  'a job in %s is cancelled by the API, and its computer is woken',
  async (state) => {
    const jobs = await startTestJobs()
    const computerId = uuidv7()
    const jobId = await jobs.addJob({ ...tenant, computerId })
    await jobs.force(jobId, state)
    jobs.clock.advanceSeconds(5)
    const { job } = await cancel(jobs, jobId)
    expect(job).toMatchObject({ id: jobId, state: 'cancelled' })
    expect(Number(job?.finishedAt?.seconds) * 1000).toBe(jobs.clock.now().getTime())
    expect(await jobs.eventStates(jobId)).toEqual(['queued', 'cancelled'])
    expect(await jobs.eventActors(jobId)).toEqual(['api', 'api'])
    expect(jobs.woken).toEqual([computerId])
  },
)

test.each([
  ['received', /its computer has received it/],
  ['printing', /it is being printed/],
  ['done', /it has ended/],
  ['error', /it has ended/],
  ['cancelled', /it is cancelled already/],
  ['expired', /it has ended/],
] as const)('a job in %s cannot be cancelled, and is told why', async (state, why) => {
  const jobs = await startTestJobs()
  const jobId = await jobs.addJob(tenant)
  await jobs.force(jobId, state)
  const refusal = await cancel(jobs, jobId).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'not_cancellable', message: expect.stringMatching(why) })
  expect(refusal).toMatchObject({ message: expect.stringContaining(`\`${state}\``) })
  expect(await jobs.stateOf(jobId)).toBe(state)
  expect(await jobs.eventStates(jobId)).toEqual(['queued'])
})

test('a job of another organization or mode does not exist, and is left alone', async () => {
  const jobs = await startTestJobs()
  const jobId = await jobs.addJob(tenant)
  for (const by of [
    { organizationId: uuidv7(), mode: 'test' },
    { organizationId, mode: 'live' },
  ])
    await expect(cancel(jobs, jobId, by)).rejects.toMatchObject({ code: 'not_found' })
  await expect(cancel(jobs, uuidv7())).rejects.toMatchObject({ code: 'not_found' })
  expect(await jobs.stateOf(jobId)).toBe('queued')
})

test('of a cancel and an acknowledgement at once exactly one wins, 300 times', async () => {
  const jobs = await startTestJobs()
  const computerId = uuidv7()
  await reconcileComputer(jobs, create(ReconcileComputerRequestSchema, { computerId, epoch: 1n }))
  const ids: string[] = []
  for (let n = 0; n < 300; n++) ids.push(await jobs.addJob({ ...tenant, computerId }))
  await claimJobs(jobs, create(ClaimJobsRequestSchema, { claims: [{ computerId, epoch: 1n, limit: 300 }] }))

  const acknowledge = async (jobId: string) => {
    const update = { jobId, computerId, trigger: AgentTrigger.ACKNOWLEDGE, attempt: 1, epoch: 1n }
    const { results } = await recordAgentUpdates(jobs, create(RecordAgentUpdatesRequestSchema, { updates: [update] }))
    return results[0]?.granted
  }
  const tryToCancel = (jobId: string) =>
    cancel(jobs, jobId).then(
      () => true,
      (error: { code: string }) => {
        expect(error.code).toBe('not_cancellable')
        return false
      },
    )
  const granted: boolean[] = []
  for (const [n, jobId] of ids.entries()) {
    // Each is the first to start half of the time.
    const early = n % 2 === 0 ? acknowledge(jobId) : undefined
    const [wasCancelled, wasGranted] = await Promise.all([tryToCancel(jobId), early ?? acknowledge(jobId)])
    expect(wasCancelled).toBe(!wasGranted)
    granted.push(wasGranted === true)
    expect(await jobs.eventStates(jobId)).toEqual(['queued', 'sent', wasGranted ? 'received' : 'cancelled'])
  }
  // Otherwise there was no race.
  for (const outcome of [true, false]) expect(granted.filter((one) => one === outcome).length).toBeGreaterThan(10)
})
