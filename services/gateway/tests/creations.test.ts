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
  services.holdCreation = () => new Promise((resolve) => held.push(resolve))
  const burst = Promise.all(Array.from({ length: 100 }, (_, n) => api.createJob(printJob({ title: `Label ${n}` }))))
  // The documents lie in the store before their creations wait for a turn.
  await waitFor(async () => expect([held.length, (await services.storedFiles()).length]).toEqual([32, 100]))
  for (let done = 0; done < 100; done++) {
    await waitFor(() => expect(held).toHaveLength(Math.min(100, done + 32)))
    held[done]?.()
  }
  const titles = (await burst).map(({ title }) => title)
  expect(new Set(titles).size).toBe(100)
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
