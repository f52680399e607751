import { create } from '@bufbuild/protobuf'
import { AgentTrigger, CancelJobRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { readMetric, trackMetrics } from '@platen/test/harness/metrics.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { cancelJob } from '../../rpc/cancel-job.ts'
import { measureJobs } from '../../timers/measure-jobs.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

const { ACKNOWLEDGE, COMPLETE, FAIL } = AgentTrigger

async function start() {
  const jobs = await startTestJobs()
  const agent = createTestAgent(jobs)
  await agent.hello(1n)
  return { jobs, agent }
}

const ended = (state: string, reason: string) =>
  `platen_jobs_ended_total{mode="test",state="${state}",reason="${reason}"}`

test('an ended job is counted once by its state and first known reason; unknown reasons of agents are `other`', async () => {
  const { jobs, agent } = await start()
  const fail = async (reasons: string[]) => agent.report(await agent.jobIn('printing'), FAIL, { reasons })
  const counted = {
    [ended('error', 'job-canceled-at-device')]: 1,
    [ended('error', 'other')]: 1,
    [ended('error', 'none')]: 1,
    [ended('cancelled', 'none')]: 1,
    [ended('done', 'none')]: 1,
    platen_job_done_seconds_count: 1,
    platen_job_done_seconds_sum: 90,
  }
  const changes = await trackMetrics(Object.keys(counted))
  await fail(['media-jam', 'job-canceled-at-device'])
  await fail(['0198c8a0-0000-7000-8000-000000000000'])
  await fail([])
  const organizationId = uuidv7()
  const jobId = await agent.addJob({ organizationId })
  const request = create(CancelJobRequestSchema, { organizationId, mode: 'test', jobId, actor: 'api' })
  await cancelJob(jobs, request)
  const printed = await agent.jobIn('received')
  jobs.advance(90)
  // Without a report of `printing`.
  for (let report = 1; report <= 2; report++) await agent.report(printed, COMPLETE, { reasons: ['media-low'] })
  expect(await changes()).toEqual(counted)
})

test('an accepted job is counted once, also if its creation is repeated', async () => {
  const { jobs } = await start()
  const changes = await trackMetrics(['platen_jobs_created_total{mode="test",type="pdf_base64"}'])
  const creation = jobCreation(jobs)
  for (let call = 1; call <= 2; call++) await createOneJob(jobs, creation)
  expect(Object.values(await changes())).toEqual([1])
})

test('only resends count as resent', async () => {
  const { agent } = await start()
  const changes = await trackMetrics(['platen_jobs_resent_total'])
  const jobId = await agent.jobIn('sent')
  await agent.hello(2n)
  await agent.report(jobId, ACKNOWLEDGE, { epoch: 2n })
  await agent.report(jobId, COMPLETE)
  expect(Object.values(await changes())).toEqual([1])
})

test('unfinished jobs are counted by state, and the oldest queued job of each mode has its age', async () => {
  const { jobs, agent } = await start()
  const states = ['queued', 'sent', 'received'].map((state) => `platen_jobs_in_state{state="${state}"}`)
  // Turns the metrics on. Without them nothing is measured.
  await trackMetrics(states)
  await measureJobs(jobs)
  const changes = await trackMetrics(states)
  await agent.jobIn('received')
  await agent.addJob({ createdAt: new Date(0) })
  await measureJobs(jobs)
  expect(Object.values(await changes())).toEqual([1, 0, 1])
  const age = await readMetric('platen_jobs_oldest_waiting_seconds{mode="test"}')
  expect(age).toBeCloseTo(jobs.clock.now().getTime() / 1000, 0)
  expect(await readMetric('platen_jobs_oldest_waiting_seconds{mode="live"}')).toBeLessThan(Number(age))
})

test('a claimed job has the time since it was queued; a resend and a document at a URL have none', async () => {
  const { jobs, agent } = await start()
  await agent.addJob()
  await agent.addJob({ contentType: 'pdf_uri' })
  jobs.advance(7)
  expect(await agent.claimQueuedMs(1n)).toEqual([7_000, undefined])
  await jobs.pool.query('UPDATE jobs.job SET push_due = true WHERE computer_id = $1', [agent.computerId])
  expect(await agent.claimQueuedMs(1n)).toEqual([undefined, undefined])
})
