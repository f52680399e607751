import { create } from '@bufbuild/protobuf'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { PageRequestSchema } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent } from './test-agent.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

const notFound = { code: 'not_found' }

async function connect(world: World, replica = 0) {
  const { credential, computerId } = await world.enroll()
  const agent = connectTestAgent(world.agentAddresses[replica] ?? '', credential)
  agent.hello()
  await agent.hears('welcome')
  const [printer] = await world.printers()
  if (!printer) throw new Error('the hello reported no printer')
  const ids = { organizationId: world.organizationId, mode: 'live', computerId }
  return { agent, printer, ids, credential }
}

const becomes = (world: World, jobId: string, job: Record<string, unknown>) =>
  waitFor(async () => expect(await world.job(jobId)).toMatchObject(job))

test.each([0, 1])(
  'a deleted computer is gone with its printers, and its stream hears of it and is closed (replica %i)',
  async (replica) => {
    const world = await startTestDevices({ replicas: 2, mode: 'live' })
    const { agent, ids, printer, credential } = await connect(world, replica)
    await world.devices.deleteComputer(ids)
    await agent.hears('computerDeleted')
    expect(await agent.ending()).toBe('ended')
    const page = { limit: 100 }
    const { organizationId, mode } = ids
    await expect(world.devices.getComputer(ids)).rejects.toMatchObject(notFound)
    expect((await world.devices.listComputers({ organizationId, mode, page })).computers).toEqual([])
    expect((await world.devices.listPrinters({ organizationId, mode, page })).printers).toEqual([])
    await expect(world.devices.listPrinters({ ...ids, page })).rejects.toMatchObject(notFound)
    const printerIds = { organizationId, mode, printerId: printer.id }
    await expect(world.devices.getPrinter(printerIds)).rejects.toMatchObject(notFound)
    await expect(world.devices.resolvePrinter(printerIds)).rejects.toMatchObject(notFound)
    await expect(world.devices.updatePrinter({ ...printerIds, enabled: true })).rejects.toMatchObject(notFound)
    await expect(world.devices.deleteComputer(ids)).rejects.toMatchObject(notFound)

    const again = connectTestAgent(world.agentAddresses[replica] ?? '', credential)
    again.hello()
    await again.hears('computerDeleted')
    expect(await again.ending()).toBe('ended')
    expect(again.heard).toHaveLength(1)
    await expect(again.download(uuidv7())).rejects.toMatchObject({ details: /was deleted/ })
    expect(await world.printers()).toEqual([])
  },
)

test('jobs that the agent has not received are cancelled, the others end in error, and all stay readable', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { agent, ids, printer } = await connect(world)
  const [sent, received, printing, done] = [
    await world.createJob(printer),
    await world.createJob(printer),
    await world.createJob(printer),
    await world.createJob(printer),
  ]
  await agent.hears('print', 4)
  for (const jobId of [received, printing, done]) agent.say({ case: 'received', value: { jobId, attempt: 1 } })
  await agent.hears('granted', 3)
  for (const jobId of [printing, done]) agent.report(jobId, ReportedState.PRINTING, `p ${jobId}`)
  await agent.hears('reportConfirmed', 2)
  agent.report(done, ReportedState.DONE, 'd')
  await agent.hears('reportConfirmed', 3)
  const { organizationId, mode } = ids
  await world.devices.updatePrinter({ organizationId, mode, printerId: printer.id, enabled: false })
  const queued = await world.createJob(printer)

  await world.devices.deleteComputer(ids)
  const reasons = { stateReasons: ['computer-deleted'], stateMessage: expect.stringContaining('deleted') }
  for (const jobId of [queued, sent]) await becomes(world, jobId, { state: 'cancelled', ...reasons })
  for (const jobId of [received, printing]) await becomes(world, jobId, { state: 'error', ...reasons })
  expect(await world.job(done)).toMatchObject({ state: 'done', stateReasons: [] })
  const states = async (jobId: string) => {
    const { events } = await world.jobs.listJobEvents({ organizationId, mode, jobId })
    return events.map(({ state }) => state)
  }
  expect(await states(queued)).toEqual(['queued', 'cancelled'])
  expect(await states(printing)).toEqual(['queued', 'sent', 'received', 'printing', 'error'])
})

test('what an agent says of a job after its computer was deleted changes nothing', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { agent, ids, printer } = await connect(world)
  const { organizationId, mode, computerId } = ids
  const [sent, received, printing] = [
    await world.createJob(printer),
    await world.createJob(printer),
    await world.createJob(printer),
  ]
  await agent.hears('print', 3)
  for (const jobId of [received, printing]) agent.say({ case: 'received', value: { jobId, attempt: 1 } })
  await agent.hears('granted', 2)
  agent.report(printing, ReportedState.PRINTING, 'p')
  await agent.hears('reportConfirmed')
  await world.devices.deleteComputer(ids)
  const allEvents = async () => {
    const lists = [sent, received, printing].map((jobId) => world.jobs.listJobEvents({ organizationId, mode, jobId }))
    return (await Promise.all(lists)).map(({ events }) => events.map(({ state }) => state))
  }
  await waitFor(async () =>
    expect(await allEvents()).toEqual([
      ['queued', 'sent', 'cancelled'],
      ['queued', 'sent', 'received', 'error'],
      ['queued', 'sent', 'received', 'printing', 'error'],
    ]),
  )
  const before = await allEvents()
  const { ACKNOWLEDGE, PRINT, COMPLETE, FAIL } = AgentTrigger
  for (const trigger of [ACKNOWLEDGE, PRINT, COMPLETE, FAIL]) {
    const updates = [sent, received, printing].map((jobId) => ({ jobId, computerId, attempt: 1, epoch: 1n, trigger }))
    const { results } = await world.jobs.recordAgentUpdates({ updates })
    expect(results.map(({ state, granted }) => [state, granted])).toEqual([
      ['cancelled', false],
      ['error', false],
      ['error', false],
    ])
  }
  expect(await allEvents()).toEqual(before)
  for (const jobId of [received, printing])
    expect(await world.job(jobId)).toMatchObject({ state: 'error', stateReasons: ['computer-deleted'] })
})

test('of deletions at the same time one deletes, and the others find nothing', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { ids } = await connect(world)
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => world.devices.deleteComputer(ids)))
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject(Array.from({ length: 7 }, () => ({ reason: notFound })))
})

test('a replica that did not hear of the deletion ends the stream at the next heartbeat, and the agent is told when it comes back', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { agent, credential } = await connect(world)
  await world.query(`UPDATE devices.computer SET deleted_at = now(), state = 'offline'`)
  agent.say({ case: 'heartbeat', value: {} })
  expect(await agent.ending()).toBe('ended')
  const again = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  again.hello()
  await again.hears('computerDeleted')
  expect(await again.ending()).toBe('ended')
})

test('jobs of other computers go on', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const first = await connect(world)
  const second = await world.enroll()
  const other = connectTestAgent(world.agentAddresses[0] ?? '', second.credential)
  other.hello()
  await other.hears('welcome')
  await world.devices.deleteComputer(first.ids)
  const [printer] = await world.printers()
  expect(printer?.computerId).toBe(second.computerId)
  const jobId = await world.createJob(printer ?? first.printer)
  expect(await other.hears('print')).toMatchObject([{ jobId }])
})

test('a job that is created for a computer just deleted is cancelled', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { ids, printer } = await connect(world)
  await world.devices.deleteComputer(ids)
  const jobId = await world.createJob(printer)
  await becomes(world, jobId, { state: 'cancelled', stateReasons: ['computer-deleted'] })
})

test('creations and a deletion at the same time leave no job waiting', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { ids, printer } = await connect(world)
  const creations = Array.from({ length: 40 }, () => world.createJob(printer))
  await creations[0]
  await world.devices.deleteComputer(ids)
  for (const jobId of await Promise.all(creations)) await becomes(world, jobId, { state: 'cancelled' })
})

test('when jobs is away and devices dies behind the answer, another replica sees to the jobs', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { ids, agent, printer } = await connect(world)
  const jobId = await world.createJob(printer)
  await agent.hears('print')
  await world.stopJobs()
  await world.devices.deleteComputer(ids)
  await agent.hears('computerDeleted')
  await world.stopReplica(0)
  await world.startJobsAgain()
  expect(await world.stateOf(jobId)).toBe('sent')
  await world.startReplica()
  await becomes(world, jobId, { state: 'cancelled', stateReasons: ['computer-deleted'] })
  await waitFor(async () => {
    const { rows } = await world.query('SELECT FROM devices.computer WHERE jobs_ended_at IS NULL')
    expect(rows).toEqual([])
  })
})

test('a report that is stored while the computer is deleted brings no printer back', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { ids, agent, printer } = await connect(world)
  const unlock = await world.lockPrinters()
  agent.say({
    case: 'printers',
    value: {
      printers: [
        { osName: 'laser', name: 'A' },
        { osName: 'late', name: 'B' },
      ],
    },
  })
  await world.waitsForLock(1)
  const deleted = world.devices.deleteComputer(ids)
  await world.waitsForLock(2)
  await unlock()
  await deleted
  agent.say({ case: 'printers', value: { printers: [{ osName: 'later', name: 'C' }] } })
  await agent.ending()
  const { rows } = await world.query<{ os_name: string }>(
    'SELECT os_name FROM devices.printer WHERE removed_at IS NULL',
  )
  expect(rows).toEqual([])
  expect(printer.computerId).toBe(ids.computerId)
})

test('the virtual test computer cannot be deleted', async () => {
  const world = await startTestDevices()
  const { computerId } = await world.enroll()
  const ids = { organizationId: world.organizationId, mode: 'test', computerId }
  await expect(world.devices.deleteComputer(ids)).rejects.toMatchObject({ code: 'forbidden' })
  expect((await world.devices.getComputer(ids)).computer?.id).toBe(computerId)
})

test('a computer of another organization or mode cannot be deleted', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { ids } = await connect(world)
  for (const stranger of [{ organizationId: uuidv7() }, { mode: 'test' }, { computerId: uuidv7() }])
    await expect(world.devices.deleteComputer({ ...ids, ...stranger })).rejects.toMatchObject(notFound)
  expect((await world.devices.getComputer(ids)).computer?.state).toBe('online')
})

test("the list of a computer's printers has no others", async () => {
  const world = await startTestDevices({ mode: 'live' })
  const first = await connect(world)
  const second = await world.enroll()
  const other = connectTestAgent(world.agentAddresses[0] ?? '', second.credential)
  other.hello([
    { osName: 'a', name: 'A' },
    { osName: 'b', name: 'B' },
  ])
  await other.hears('welcome')
  const { organizationId, mode } = first.ids
  const list = async (computerId: string, page: { limit: number; after?: Uint8Array | undefined }) => {
    const { printers, end } = await world.devices.listPrinters({
      organizationId,
      mode,
      computerId,
      page: create(PageRequestSchema, page),
    })
    return { names: printers.map(({ osName }) => osName), hasMore: end?.hasMore, last: end?.place }
  }
  expect(await list(first.ids.computerId, { limit: 25 })).toMatchObject({ names: ['laser'], hasMore: false })
  const page = await list(second.computerId, { limit: 1 })
  expect(page).toMatchObject({ hasMore: true })
  const next = await list(second.computerId, { limit: 1, after: page.last })
  expect([...page.names, ...next.names].toSorted()).toEqual(['a', 'b'])
  const stranger = { organizationId: uuidv7(), mode, computerId: second.computerId, page: { limit: 1 } }
  await expect(world.devices.listPrinters(stranger)).rejects.toMatchObject(notFound)
})
