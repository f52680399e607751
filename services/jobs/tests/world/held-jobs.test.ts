/** Jobs that wait for their release or their time. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ReleaseJobRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { releaseJob } from '../../rpc/release-job.ts'
import { announceWaiting } from '../../timers/announce-waiting.ts'
import { releaseScheduled } from '../../timers/release-scheduled.ts'
import { sweepExpired } from '../../timers/sweep-expired.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

async function start() {
  const jobs = await startTestJobs()
  const agent = createTestAgent(jobs)
  await agent.hello(1n)
  const tenant = { organizationId: uuidv7(), mode: 'live' }
  const claimed: string[] = []
  const at = (seconds: number) => timestampFromDate(new Date(jobs.clock.now().getTime() + seconds * 1000))
  return {
    jobs,
    agent,
    at,
    add: async (facts: object = {}) => {
      const creation = jobCreation(jobs, { ...tenant, computerId: agent.computerId, ...facts })
      return (await createOneJob(jobs, creation)).id
    },
    release: (jobId: string, by = tenant) => releaseJob(jobs, create(ReleaseJobRequestSchema, { ...by, jobId })),
    /** @returns what was not claimed before. */
    async claim() {
      const ids = await agent.claimIds(1n, { claimedJobIds: claimed })
      claimed.push(...ids)
      return ids
    },
  }
}

test('a held job is claimed after its release, before jobs that were accepted later; others do not wait for it', async () => {
  proves('held.release', 'held.turn')
  const { jobs, add, release, claim } = await start()
  const held = await add({ hold: true })
  expect(await jobs.row(held, 'state, state_reasons')).toEqual({ state: 'queued', state_reasons: ['held'] })
  const other = await add()
  expect(await claim()).toEqual([other])
  const later = await add()
  expect((await release(held)).job).toMatchObject({ state: 'queued', stateReasons: [] })
  expect(jobs.announced).toContain(held)
  expect(await claim()).toEqual([held, later])
})

test('a release is repeatable, changes no job that is not held, and finds no job of another organization or mode', async () => {
  proves('held.release.other')
  const { add, release, claim } = await start()
  const held = await add({ hold: true })
  for (const by of [
    { organizationId: uuidv7(), mode: 'live' },
    { organizationId: uuidv7(), mode: 'test' },
  ])
    await expect(release(held, by)).rejects.toMatchObject({ code: 'not_found' })
  expect(await claim()).toEqual([])
  for (let n = 0; n < 2; n++) expect((await release(held)).job).toMatchObject({ state: 'queued', stateReasons: [] })
  expect(await claim()).toEqual([held])
  expect((await release(held)).job).toMatchObject({ state: 'sent' })
})

test('a scheduled job is claimed once its time has come, and its computer is woken then; `expireAfter` counts from it', async () => {
  proves('scheduled.time', 'scheduled.expiry')
  const { jobs, agent, add, at, claim } = await start()
  const job = await add({ notBefore: at(3600), expireAfterSeconds: 60 })
  expect(await jobs.row(job, 'state_reasons')).toEqual({ state_reasons: ['scheduled'] })
  const woken = () => jobs.timesWoken(agent.computerId)
  const before = woken()
  jobs.advance(3599)
  await releaseScheduled(jobs)
  await announceWaiting(jobs)
  await sweepExpired(jobs)
  expect([await claim(), woken()]).toEqual([[], before])
  jobs.advance(1)
  await releaseScheduled(jobs)
  expect(jobs.announced).toContain(job)
  jobs.advance(58)
  await sweepExpired(jobs)
  expect(await claim()).toEqual([job])
  expect(await jobs.row(job, 'state_reasons')).toEqual({ state_reasons: [] })
})

test('a time that has passed holds no job back; a held job with a time waits for both', async () => {
  proves('scheduled.past', 'held.scheduled')
  const { jobs, add, at, release, claim } = await start()
  const now = await add({ notBefore: at(-1) })
  const both = await add({ hold: true, notBefore: at(60) })
  expect(await claim()).toEqual([now])
  await release(both)
  expect(await claim()).toEqual([])
  jobs.advance(60)
  await releaseScheduled(jobs)
  expect(await claim()).toEqual([both])
})

test('a held job expires as others do', async () => {
  proves('held.expiry')
  const { jobs, add } = await start()
  const held = await add({ hold: true, expireAfterSeconds: 60 })
  jobs.advance(60)
  await sweepExpired(jobs)
  expect(await jobs.getState(held)).toBe('expired')
})
