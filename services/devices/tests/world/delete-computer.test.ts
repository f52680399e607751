import { Code, ConnectError } from '@connectrpc/connect'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AgentTrigger, JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { sweepEnded } from '../../timers/sweep-ended.ts'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent, LASER } from '../test-agent.ts'

const notFound = { code: 'not_found' }
const deletedJob = { stateReasons: ['computer-deleted'], stateMessage: expect.stringContaining('deleted') }

test('a deleted computer is gone with its printers, and its stream gets a message and is closed, as are later ones', async () => {
  proves(
    'computer.delete.gone',
    'computer.delete.credential',
    'computer.delete.stream',
    'computer.delete.printers',
    'computer.delete.twice',
  )
  const { world, devices, tenant, connect, printers } = await startTestDevices()
  const { agent, computerIds, printerIds, credential } = await connect()
  const deletions = await Promise.allSettled(Array.from({ length: 8 }, () => devices.deleteComputer(computerIds)))
  const refused = deletions.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject(Array.from({ length: 7 }, () => ({ reason: notFound })))
  await agent.waitForMessages('computerDeleted')
  expect(await agent.ending()).toBe('ended')
  const page = { limit: 100 }
  expect((await devices.listComputers({ ...tenant, page })).computers).toEqual([])
  expect(await printers()).toEqual([])
  const calls = await Promise.allSettled([
    devices.getComputer(computerIds),
    devices.listPrinters({ ...computerIds, page }),
    devices.getPrinter(printerIds),
    devices.resolvePrinter(printerIds),
    devices.getSharedPrinter({ ...tenant, printer: printerIds.printerId }),
    devices.updatePrinter({ ...printerIds, enabled: true }),
    devices.deleteComputer(computerIds),
  ])
  expect(calls).toMatchObject(calls.map(() => ({ reason: notFound })))

  const again = connectTestAgent(world.agentAddress, credential)
  again.hello()
  await again.waitForMessages('computerDeleted')
  expect(await again.ending()).toBe('ended')
  expect(again.messages).toHaveLength(1)
  await expect(again.download(uuidv7())).rejects.toMatchObject({ details: /was deleted/ })
})

test('jobs that the agent has not received are cancelled, others end in error; all stay readable, and later reports change nothing', async () => {
  proves(
    'computer.delete.queued',
    'computer.delete.sent',
    'computer.delete.received',
    'computer.delete.printing',
    'computer.delete.history',
    'state-reason.computer-deleted',
  )
  const { devices, connect, becomes, job, jobs, eventStates } = await startTestDevices()
  const { agent, computerId, computerIds, printerIds, createJob } = await connect()
  const [sent, received, printing, done] = [await createJob(), await createJob(), await createJob(), await createJob()]
  await agent.waitForMessages('print', 4)
  for (const jobId of [received, printing, done]) agent.received(jobId)
  await agent.waitForMessages('granted', 3)
  for (const jobId of [printing, done]) agent.report(jobId, ReportedState.PRINTING, `p ${jobId}`)
  await agent.waitForMessages('reportConfirmed', 2)
  agent.report(done, ReportedState.DONE, 'd')
  await agent.waitForMessages('reportConfirmed', 3)
  await devices.updatePrinter({ ...printerIds, enabled: false })
  const queued = await createJob()

  await devices.deleteComputer(computerIds)
  for (const jobId of [queued, sent]) await becomes(jobId, { state: 'cancelled', ...deletedJob })
  for (const jobId of [received, printing]) await becomes(jobId, { state: 'error', ...deletedJob })
  expect(await job(done)).toMatchObject({ state: 'done', stateReasons: [] })
  const { ACKNOWLEDGE, PRINT, COMPLETE, FAIL } = AgentTrigger
  for (const trigger of [ACKNOWLEDGE, PRINT, COMPLETE, FAIL]) {
    const updates = [sent, received, printing].map((jobId) => ({ jobId, computerId, attempt: 1, epoch: 1n, trigger }))
    const { results } = await jobs.recordAgentUpdates({ updates })
    const ended = ['cancelled', 'error', 'error'].map((state) => ({ state, granted: false }))
    expect(results).toMatchObject(ended)
  }
  expect(await Promise.all([queued, sent, received, printing].map(eventStates))).toEqual([
    ['queued', 'cancelled'],
    ['queued', 'sent', 'cancelled'],
    ['queued', 'sent', 'received', 'error'],
    ['queued', 'sent', 'received', 'printing', 'error'],
  ])
  expect(await job(printing)).toMatchObject({ state: 'error', stateReasons: ['computer-deleted'] })
})

test('jobs that are created during a deletion or after it are cancelled; those of other computers are not', async () => {
  const { world, devices, connect, becomes } = await startTestDevices()
  const { computerIds, createJob } = await connect()
  const other = await connect()
  const creations = Array.from({ length: 20 }, () => createJob())
  await creations[0]
  await devices.deleteComputer(computerIds)
  const jobIds = [...(await Promise.all(creations)), await createJob()]
  await world.sweep('jobs', 'deleted computers')
  for (const jobId of jobIds) await becomes(jobId, { state: 'cancelled', stateReasons: ['computer-deleted'] })
  const jobId = await other.createJob()
  expect(await other.agent.waitForMessages('print')).toMatchObject([{ jobId }])
})

test('a replica that missed the deletion ends the stream at its next message', async () => {
  const { connect, query, sweep } = await startTestDevices()
  const { agent } = await connect()
  await query(`UPDATE devices.computer SET deleted_at = now(), state = 'offline' WHERE organization_id = $1`)
  await waitFor(async () => {
    agent.heartbeat()
    await sweep('presence')
    expect(agent.isOver()).toBe(true)
  })
})

test('when jobs does not answer a deletion, the sweep of any replica ends the jobs', async () => {
  const { world, devices, connect, query, sweep, getState, becomes } = await startTestDevices()
  const { computerIds, agent, createJob } = await connect()
  const jobId = await createJob()
  await agent.waitForMessages('print')
  let isAway = true
  world.intercept(JobsService.method.endComputer, async (request, next) => {
    if (isAway) throw new ConnectError('away', Code.Unavailable)
    return await next(request)
  })
  await devices.deleteComputer(computerIds)
  await agent.waitForMessages('computerDeleted')
  expect(await getState(jobId)).toBe('sent')
  isAway = false
  await sweep('deleted')
  await becomes(jobId, { state: 'cancelled', stateReasons: ['computer-deleted'] })
  const [row] = await query('SELECT jobs_ended_at FROM devices.computer WHERE organization_id = $1')
  expect(row).toEqual({ jobs_ended_at: world.clock.now() })
})

test('a deleted computer is kept for 400 days and until its jobs have ended, and goes with its printers and no others', async () => {
  const { devices, connect, query, world, organizationId } = await startTestDevices()
  const [kept, deleted] = [await connect(), await connect()]
  await devices.deleteComputer(deleted.computerIds)
  const sweepAfter = async (days: number) => {
    const clock = createTestClock(new Date(world.clock.now().getTime() + days * 24 * 60 * 60_000))
    await sweepEnded({ ...world.contexts.devices, clock })
    const rows = await query<{ computer_id: string }>(
      'SELECT computer_id FROM devices.printer WHERE organization_id = $1',
    )
    return rows.map((row) => row.computer_id).toSorted()
  }
  const both = [kept.computerId, deleted.computerId].toSorted()
  await waitFor(async () => {
    const ended = 'SELECT FROM devices.computer WHERE organization_id = $1 AND jobs_ended_at IS NOT NULL'
    expect(await query(ended)).toHaveLength(1)
  })
  expect(await sweepAfter(399)).toEqual(both)
  const setEnded = (at: Date | null) =>
    query('UPDATE devices.computer SET jobs_ended_at = $2 WHERE organization_id = $1 AND deleted_at IS NOT NULL', at)
  await setEnded(null)
  expect(await sweepAfter(400)).toEqual(both)
  await setEnded(world.clock.now())
  // A sweep deletes 100 computers, also of other tests.
  await waitFor(async () => expect(await sweepAfter(400)).toEqual([kept.computerId]))
  expect((await devices.listComputers({ organizationId, mode: 'live', page: { limit: 2 } })).computers).toMatchObject([
    { id: kept.computerId },
  ])
})

test('a report that is stored during a deletion adds no printer', async () => {
  const { devices, connect, lockPrinters, waitsForLock, query } = await startTestDevices()
  const { computerIds, agent, report } = await connect()
  const unlock = await lockPrinters()
  const reporting = report({ osName: 'laser', name: 'A' }, { osName: 'late', name: 'B' })
  await waitsForLock(1)
  const deleted = devices.deleteComputer(computerIds)
  await waitsForLock(2)
  await unlock()
  await Promise.all([reporting, deleted])
  await report({ osName: 'later', name: 'C' })
  await agent.ending()
  expect(await query('SELECT FROM devices.printer WHERE organization_id = $1 AND removed_at IS NULL')).toEqual([])
})

test('the virtual test computer cannot be deleted', async () => {
  proves('computer.delete.virtual', 'error.403.forbidden')
  const { devices, enroll, tenant } = await startTestDevices({ mode: 'test' })
  const ids = { ...tenant, computerId: (await enroll()).computerId }
  await expect(devices.deleteComputer(ids)).rejects.toMatchObject({ code: 'forbidden' })
  expect((await devices.getComputer(ids)).computer?.id).toBe(ids.computerId)
})

test('a deleted computer that was online emits `printer.removed` of each printer as it was last, then `computer.offline`; one that was offline only the former', async () => {
  proves('computer.delete.printer-events', 'event.printer.removed.computer')
  const { devices, connect, events, printers, sweep, computerBecomes } = await startTestDevices()
  const both = [LASER, { ...LASER, osName: 'label' }]
  const { agent, computerIds, report } = await connect({ printers: [...both, { ...LASER, osName: 'removed before' }] })
  await report(...both)
  const before = (await events()).length
  const ids = (await printers()).map(({ id }) => id)
  await devices.deleteComputer(computerIds)
  await agent.ending()
  await sweep('offline')
  const removed = { type: 'printer.removed', mode: 'live', sequence: 2, data: { state: 'online' } }
  const offline = { id: computerIds.computerId, state: 'offline' }
  const added = (await events()).slice(before)
  expect(added).toMatchObject([removed, removed, { type: 'computer.offline', sequence: 2, data: offline }])
  expect(
    added
      .slice(0, 2)
      .map(({ data }) => data.id)
      .sort(),
  ).toEqual(ids.sort())

  const offlineBefore = await connect()
  offlineBefore.agent.shutDown()
  await computerBecomes({ id: offlineBefore.computerId, state: 'offline' })
  const count = (await events()).length
  await devices.deleteComputer(offlineBefore.computerIds)
  expect((await events()).slice(count)).toMatchObject([{ type: 'printer.removed', data: { state: 'unknown' } }])
})
