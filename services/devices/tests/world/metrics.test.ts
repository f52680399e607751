/** What the metrics of streams and dispatch show. */
import { Code, ConnectError } from '@connectrpc/connect'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { trackMetrics } from '@platen/test/harness/metrics.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent } from '../test-agent.ts'

const hellos = (result: string) => `platen_agent_hellos_total{result="${result}"}`
const ended = (why: string) => `platen_agent_streams_ended_total{why="${why}"}`

test('hellos are counted by their result, and ended streams by their cause', async () => {
  const { world, connect, devices } = await startTestDevices()
  const counted = {
    [hellos('accepted')]: 4,
    [hellos('unauthenticated')]: 1,
    [hellos('invalid')]: 1,
    [ended('closed')]: 1,
    // Streams of earlier tests can be among them.
    [ended('lost')]: expect.toSatisfy((count: number) => count >= 1),
    [ended('superseded')]: 1,
    [ended('deleted')]: 1,
  }
  const changes = await trackMetrics(Object.keys(counted))
  const unauthenticated = connectTestAgent(world.agentAddress, 'nobody')
  await unauthenticated.ending()
  const closing = await connect()
  closing.agent.shutDown()
  const dropping = await connect()
  dropping.agent.drop()
  const silent = connectTestAgent(world.agentAddress, dropping.credential)
  silent.heartbeat()
  await silent.ending()
  const older = await connect({ credential: dropping.credential })
  const { computerIds } = await connect({ credential: dropping.credential })
  await older.agent.waitForMessages('superseded')
  older.agent.shutDown()
  await older.agent.ending()
  await devices.deleteComputer(computerIds)
  await waitFor(async () => expect(await changes()).toEqual(counted))
})

test('the time until a job is sent begins with the hello of its agent', async () => {
  const { connect, advance } = await startTestDevices()
  const { agent: dropped, credential, createJob } = await connect()
  const [count, sum] = ['platen_dispatch_seconds_count', 'platen_dispatch_seconds_sum']
  dropped.drop()
  await createJob()
  advance(600)
  const changes = await trackMetrics([count, sum])
  const { agent } = await connect({ credential })
  await agent.waitForMessages('print')
  const { [count]: dispatched, [sum]: seconds } = await changes()
  expect(dispatched).toBe(1)
  expect(seconds).toBeLessThan(60)
})

test('a stream that has jobs to claim waits until it gets one', async () => {
  const { world, connect, hasClaimed } = await startTestDevices()
  const { agent, computerId, createJob } = await connect()
  const waitingMs = () => world.contexts.devices.connections.get(computerId)?.dispatch.waitingMs
  await hasClaimed(computerId)
  let isClaimable = false
  world.intercept(JobsService.method.claimJobs, async (request, next) => {
    if (isClaimable) return await next(request)
    throw new ConnectError('no answer', Code.Unavailable)
  })
  await createJob()
  await waitFor(() => expect(waitingMs()).toBeGreaterThan(0))
  isClaimable = true
  await agent.waitForMessages('print')
  await waitFor(() => expect(waitingMs()).toBe(0))
})
