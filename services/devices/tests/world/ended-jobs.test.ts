/** Jobs that end while their agent holds them: the agent must remove them, and its reports change nothing. */
import { Code, ConnectError } from '@connectrpc/connect'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { type EndLostAgentsRequest, JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { sweepLost } from '../../timers/sweep-lost.ts'
import { receive, startTestDevices } from '../start-test-devices.ts'

const DAY_SECONDS = 24 * 60 * 60
const { PRINTING, DONE } = ReportedState

async function startPrinting() {
  const started = await startTestDevices()
  const { connect, query } = started
  const first = await connect()
  const { agent, credential, createJob } = first
  const jobId = await createJob()
  await receive(agent, jobId)
  agent.report(jobId, PRINTING, 'r1')
  await agent.waitForMessages('reportConfirmed')
  return {
    ...started,
    ...first,
    jobId,
    reconnect: async (heldJobIds: string[]) => (await connect({ credential, heldJobIds })).agent,
    removalsLeft: async () =>
      (await query('SELECT FROM jobs.removal JOIN jobs.job ON job.id = job_id WHERE organization_id = $1')).length,
  }
}

test('an agent gets repeated orders to remove a job that prints for too long, before Welcome if it missed them, until it confirms', async () => {
  proves('spooler-timeout.removed')
  const { world, agent: first, reconnect, jobId, job, removalsLeft, isDisconnected, ...started } = await startPrinting()
  first.drop()
  await isDisconnected()
  started.advance(15 * 60)
  await world.sweep('jobs', 'overdue')
  const agent = await reconnect([jobId])
  expect(agent.messages.slice(0, 2)).toMatchObject([{ case: 'remove', value: { jobId } }, { case: 'welcome' }])
  await world.sweep('jobs', 'announce waiting')
  expect((await agent.waitForMessages('remove', 2))[1]).toMatchObject({ jobId })
  expect(await job(jobId)).toMatchObject({ state: 'error', stateReasons: ['spooler-timeout'] })
  agent.send({ case: 'removed', value: { jobId } })
  await waitFor(async () => expect(await removalsLeft()).toBe(0))
  agent.report(jobId, DONE, 'late')
  expect(await agent.waitForMessages('reportConfirmed')).toMatchObject([{ reportId: 'late', state: 'error' }])
  expect((await job(jobId))?.stateMessage).toBe('spooler timeout')
})

test('an agent must remove a job that it still holds and the service has deleted, and its reports about it are confirmed', async () => {
  proves('job.deleted.agent')
  const { world, agent: first, isDisconnected, reconnect, jobId } = await startPrinting()
  first.drop()
  await isDisconnected()
  await world.query('DELETE FROM jobs.job WHERE id = $1', [jobId])
  const agent = await reconnect([jobId])
  expect(agent.messages.slice(0, 2)).toMatchObject([{ case: 'remove', value: { jobId } }, { case: 'welcome' }])
  agent.send({ case: 'removed', value: { jobId } })
  agent.report(jobId, DONE, 'late')
  expect(await agent.waitForMessages('reportConfirmed')).toMatchObject([{ reportId: 'late', state: '' }])
})

test('the jobs of an agent that is offline for a day end with `agent-lost` once jobs answers; when it comes back it must remove them, and its reports change nothing', async () => {
  const started = await startPrinting()
  const {
    world,
    agent: first,
    advance,
    sweep,
    job,
    getState,
    computerBecomes,
    reconnect,
    createJob,
    jobId,
    query,
  } = started
  // A computer that is online is not lost, however old its last heartbeat is.
  const clock = createTestClock(new Date(world.clock.now().getTime() + 2 * DAY_SECONDS * 1000))
  await sweepLost({ ...world.contexts.devices, clock }, DAY_SECONDS * 1000)
  let isAway = true
  world.intercept(JobsService.method.endLostAgents, async (request, next) => {
    if (isAway) throw new ConnectError('away', Code.Unavailable)
    return await next(request)
  })
  first.shutDown()
  await computerBecomes({ state: 'offline' })
  advance(DAY_SECONDS - 1)
  await sweep('lost')
  advance(1)
  await expect(sweep('lost')).rejects.toMatchObject({ code: 'service_unavailable' })
  expect(await getState(jobId)).toBe('printing')
  isAway = false
  await sweep('lost')
  const lost = { state: 'error', stateReasons: ['agent-lost'] }
  expect(await job(jobId)).toMatchObject(lost)
  const readLoss = () => query('SELECT lost_reported_at, epoch FROM devices.computer WHERE organization_id = $1')
  const before = await readLoss()
  expect(before).toMatchObject([{ lost_reported_at: world.clock.now() }])
  advance(DAY_SECONDS)
  await sweep('lost')
  expect(await readLoss()).toEqual(before)

  const agent = await reconnect([jobId])
  expect(agent.messages.slice(0, 2)).toMatchObject([{ case: 'remove', value: { jobId } }, { case: 'welcome' }])
  agent.report(jobId, DONE, 'late')
  expect(await agent.waitForMessages('reportConfirmed')).toMatchObject([{ reportId: 'late', state: 'error' }])
  expect(await job(jobId)).toMatchObject(lost)
  const next = await createJob()
  expect(await agent.waitForMessages('print')).toMatchObject([{ jobId: next }])
})

test('an agent that connects at the moment of the sweep is not lost, nor is that of a deleted computer; a loss during the report of others is reported, too', async () => {
  const { world, connect, hold, query, sweep, advance, becomes, devices } = await startTestDevices()
  const [connecting, lost, again, online] = [await connect(), await connect(), await connect(), await connect()]
  const deleted = await connect()
  const jobId = await deleted.createJob()
  await receive(deleted.agent, jobId)
  const all = [connecting, lost, again, deleted]
  for (const { agent, computerIds } of all) {
    agent.shutDown()
    await waitFor(async () =>
      expect((await devices.getComputer(computerIds)).computer).toMatchObject({ state: 'offline' }),
    )
  }
  let isAway = true
  world.intercept(JobsService.method.endComputer, async (request, next) => {
    if (isAway) throw new ConnectError('away', Code.Unavailable)
    return await next(request)
  })
  await devices.deleteComputer(deleted.computerIds)
  const set = (facts: string, computerId: string) =>
    query(`UPDATE devices.computer SET ${facts} WHERE organization_id = $1 AND id = $2`, computerId)
  const reported: string[] = []
  const names = new Map(
    Object.entries({ connecting, lost, again, online, deleted }).map(([name, { computerId }]) => [computerId, name]),
  )
  world.intercept(JobsService.method.endLostAgents, async (request, next) => {
    const { agents } = request.message as EndLostAgentsRequest
    const isFirst = reported.length === 0
    // Computers of other tests can be lost, too.
    for (const { computerId, epoch } of agents)
      if (names.has(computerId)) reported.push(`${names.get(computerId)} ${epoch}`)
    if (isFirst) {
      await set('lost_at = created_at, epoch = 2', online.computerId)
      await set('epoch = 4', again.computerId)
    }
    return await next(request)
  })
  advance(DAY_SECONDS)
  const connected = await hold(
    `UPDATE devices.computer SET state = 'online', epoch = 2 WHERE organization_id = $1 AND id = $2`,
    connecting.computerId,
  )
  await sweep('lost')
  await connected()
  for (let n = 0; n < 2; n++) await sweep('lost')
  expect(reported.toSorted()).toEqual(['again 2', 'again 4', 'lost 2', 'online 2'])
  isAway = false
  await sweep('deleted')
  await becomes(jobId, { state: 'error', stateReasons: ['computer-deleted'] })
})
