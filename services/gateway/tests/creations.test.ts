import { create } from '@bufbuild/protobuf'
import { CreateJobResponseSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { createCreations } from '../creations.ts'
import type { Gateway } from '../gateway.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'

test('of a burst 32 creations are with jobs at once, and each is answered when its turn has come', async () => {
  const { api, services } = await startTestGateway()
  const held: (() => void)[] = []
  let withJobs = 0
  let most = 0
  services.holdCreation = async () => {
    most = Math.max(most, ++withJobs)
    await new Promise<void>((resolve) => held.push(resolve))
    withJobs--
  }
  const burst = Promise.all(Array.from({ length: 100 }, (_, n) => api.createJob(printJob({ title: `Label ${n}` }))))
  // As many at a time as there are: a call that is held for 5 s fails.
  for (let done = 0; done < 100; ) {
    await waitFor(() => expect(held).toHaveLength(Math.min(100, done + 32)))
    for (const release of held.slice(done)) release()
    done = held.length
  }
  const titles = (await burst).map(({ title }) => title)
  expect([new Set(titles).size, most]).toEqual([100, 32])
  expect(services.createdJobs).toHaveLength(100)
})

test.each([
  [20_000, 'goes to jobs'],
  [20_001, 'is refused with service_unavailable'],
])('a creation whose turn comes after %i ms %s', async (waitedMs, outcome) => {
  let clock = 0
  const held: (() => void)[] = []
  const createJob = async () => {
    await new Promise<void>((resolve) => held.push(resolve))
    return create(CreateJobResponseSchema)
  }
  const creations = createCreations({ jobs: { createJob } as unknown as Gateway['jobs'] }, () => clock)
  const before = Array.from({ length: 32 }, () => creations({}))
  const waiting = creations({}).then(
    () => 'goes to jobs',
    ({ code }) => `is refused with ${code}`,
  )
  await waitFor(() => expect(held).toHaveLength(32))
  clock = waitedMs
  for (const release of held.splice(0)) release()
  await Promise.all(before)
  await new Promise(setImmediate)
  for (const release of held) release()
  expect(await waiting).toBe(outcome)
})
