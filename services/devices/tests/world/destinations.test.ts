/** Jobs of destinations, through the streams of agents: docs/reference/destinations.md. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type {
  CreateDestinationRequestSchema,
  UpdateDestinationRequestSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { type JobCreationSchema, JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { claimDestinationJob } from '../../destinations/claim-destination-job.ts'
import { receive, startTestDevices } from '../start-test-devices.ts'
import { LASER, type TestPrinter } from '../test-agent.ts'

const OUT_OF_PAPER = { ...LASER, stateReasons: ['toner-low', 'media-empty'] }
const TAKES_ONE: TestPrinter = {
  osName: 'laser',
  name: 'Laser',
  state: 'online',
  capabilities: { copies: 1, bins: ['tray-2'] },
}
const STANDBY_SECONDS = 30

/** Two computers with a printer each, and a destination of both. */
async function start(facts: MessageInitShape<typeof CreateDestinationRequestSchema> = {}) {
  const started = await startTestDevices()
  const { devices, tenant, world } = started
  const [first, second] = [await started.connect(), await started.connect()]
  for (const { computerId } of [first, second]) await started.hasClaimed(computerId)
  const printerIds = [first.printer.id, second.printer.id]
  const settings = { policy: 'first', standbyAfter: STANDBY_SECONDS, enabled: true }
  const { destination } = await devices.createDestination({
    ...tenant,
    name: 'kitchen',
    printerIds,
    ...settings,
    ...facts,
  })
  const destinationId = destination?.id ?? ''
  const ids = { ...tenant, destinationId }
  return {
    ...started,
    first,
    second,
    ids,
    destinationId,
    /** A job of the destination, planned for the first printer. */
    send: (more: MessageInitShape<typeof JobCreationSchema> = {}) =>
      first.createJob({ destinationId, requestedOptions: {}, ...more }),
    /** A batch of the destination. */
    sendBatch: (jobs: MessageInitShape<typeof JobCreationSchema>[]) =>
      started.organization.createBatch(
        first.printer,
        jobs.map((one) => ({ destinationId, requestedOptions: {}, ...one })),
      ),
    get: async () => (await devices.getDestination(ids)).destination,
    update: (changes: MessageInitShape<typeof UpdateDestinationRequestSchema>) =>
      devices.updateDestination({ ...ids, ...changes }),
    /**
     * Waits until the streams have used the turns of before. They can take jobs that are created after their printer is
     * not available.
     */
    async settle() {
      for (const { computerId } of [first, second]) await started.hasClaimed(computerId)
    },
    /** The first agent, which acknowledges none of its jobs, gets each of them 4 times. */
    async useUpResends(jobs = 1) {
      for (let sent = 1; sent <= 4; sent++) {
        // A sweep skips a job while it is claimed.
        await first.agent.waitForMessages('print', sent * jobs)
        started.advance(60)
        await world.sweep('jobs', 'unacknowledged')
      }
    },
    /** Jobs announce what waits, and the replica decides. */
    announce: () => world.sweep('jobs', 'announce waiting'),
  }
}

type Started = Awaited<ReturnType<typeof start>>

/**
 * Gives the destination one more turn, whose outcome is then known: a later job of the computer itself is sent after
 * it.
 */
async function expectNothingSent({ announce, createJob }: Started, to: Started['first'], before: string[]) {
  await announce()
  const marker = await createJob(to.printer)
  await waitFor(() => expect(to.agent.prints()).toEqual([...before, marker]))
  to.agent.received(marker)
  return marker
}

test('the first available printer takes the job, which then is a job of this printer', async () => {
  proves('destination.claim', 'destination.planned')
  const { first, second, send, job, becomes, destinationId } = await start()
  const id = await send()
  await receive(first.agent, id)
  await becomes(id, { state: 'received', destinationId, printerId: first.printer.id, computerId: first.computerId })
  expect(second.agent.prints()).toEqual([])
  first.agent.report(id, ReportedState.PRINTING, 'a')
  first.agent.report(id, ReportedState.DONE, 'b')
  await becomes(id, { state: 'done' })
  expect((await job(id))?.destinationId).toBe(destinationId)
})

test('a printer has at most one job of a destination, and takes the next one in the order of acceptance', async () => {
  proves('destination.one-at-a-time', 'destination.order')
  const { first, send, announce } = await start()
  const jobs = [await send(), await send(), await send()]
  for (const [n, id] of jobs.entries()) {
    await receive(first.agent, id)
    await announce()
    expect(first.agent.prints()).toEqual(jobs.slice(0, n + 1))
    first.agent.report(id, ReportedState.DONE, `done-${n}`)
  }
})

test('policy `first`: a later printer takes the job once each earlier one has been unavailable for `standbyAfter`', async () => {
  proves('destination.first', 'destination.standby')
  const started = await start()
  const { first, second, send, advance, announce, becomes, get, jobs, tenant, settle } = started
  await first.report(OUT_OF_PAPER)
  await settle()
  const id = await send()
  advance(STANDBY_SECONDS - 1)
  await expectNothingSent(started, second, [])
  expect((await get())?.printers).toMatchObject([
    { reason: 'printer-waits', detail: 'media-empty', hasTurn: false },
    { hasTurn: false },
  ])
  advance(1)
  await announce()
  await receive(second.agent, id)
  await becomes(id, { printerId: second.printer.id, computerId: second.computerId })
  const { details } = await jobs.getJobDetails({ ...tenant, jobId: id })
  expect(details?.passedPrinters).toMatchObject([{ printerId: first.printer.id, reason: 'printer-waits' }])
})

test('policy `first`: a printer that is only busy is not passed', async () => {
  proves('destination.busy')
  const started = await start({ standbyAfter: 0 })
  const { first, second, send } = started
  const [busy, next] = [await send(), await send()]
  await receive(first.agent, busy)
  await expectNothingSent(started, second, [])
  first.agent.report(busy, ReportedState.DONE, 'a')
  await waitFor(() => expect(first.agent.prints()).toEqual([busy, next]))
})

test('policy `any`: every available printer takes jobs', async () => {
  proves('destination.any')
  const { first, second, send } = await start({ policy: 'any' })
  const jobs = [await send(), await send()]
  await waitFor(() => expect([...first.agent.prints(), ...second.agent.prints()].toSorted()).toEqual(jobs.toSorted()))
  expect([first.agent.prints().length, second.agent.prints().length]).toEqual([1, 1])
})

test('a job waits while no printer is available, and the first one that becomes available takes it', async () => {
  proves('destination.waits', 'destination.back')
  const started = await start({ policy: 'any' })
  const { first, second, send, devices, getState, settle } = started
  for (const { computerIds } of [first, second]) await devices.pauseComputer({ ...computerIds, paused: true })
  await settle()
  const id = await send()
  await started.announce()
  expect(await getState(id)).toBe('queued')
  await devices.pauseComputer({ ...second.computerIds, paused: false })
  await waitFor(() => expect(second.agent.prints()).toEqual([id]))
})

test('an unacknowledged job returns to its destination, another printer takes it, and the late agent does not print', async () => {
  proves('destination.returns', 'destination.one-paper')
  const { first, second, send, announce, becomes, settle, useUpResends } = await start({ standbyAfter: 0 })
  const id = await send()
  await waitFor(() => expect(first.agent.prints()).toEqual([id]))
  await first.report(OUT_OF_PAPER)
  await settle()
  await useUpResends()
  await announce()
  await receiveAttempt(second.agent, id, 5)
  first.agent.received(id, 4)
  await first.agent.waitForMessages('refused')
  await becomes(id, { state: 'received', computerId: second.computerId })
})

async function receiveAttempt(agent: Started['first']['agent'], id: string, attempt: number) {
  await waitFor(() => expect(agent.prints()).toContain(id))
  agent.received(id, attempt)
  await waitFor(async () => expect((await agent.waitForMessages('granted')).map(({ jobId }) => jobId)).toContain(id))
}

test('a job waits behind an older job of the printer itself that is not sent', async () => {
  proves('destination.own-jobs')
  const started = await start()
  const { first, send, devices, createJob } = started
  await devices.pauseComputer({ ...first.computerIds, paused: true })
  const own = await createJob(first.printer)
  const id = await send()
  await devices.pauseComputer({ ...first.computerIds, paused: false })
  await waitFor(() => expect(first.agent.prints()).toEqual([own, id]))
})

test('after a change, no printer takes a job that it may not take any more, whatever it knows', async () => {
  proves('destination.edit')
  const started = await start()
  const { first, second, send, update, world, ids } = started
  const outdated = { destinationId: ids.destinationId, revision: 1n, passedPrinters: [] }
  await update({ printers: { ids: [second.printer.id] } })
  const id = await send()
  await waitFor(() => expect(second.agent.prints()).toEqual([id]))
  await send()
  const [row] = await world.query<{ epoch: string }>('SELECT epoch FROM devices.computer WHERE id = $1', [
    first.computerId,
  ])
  const claim = { computerId: first.computerId, epoch: BigInt(row?.epoch ?? 0), printerId: first.printer.id }
  expect((await world.jobs.claimDestinationJob({ ...claim, turns: [outdated] })).job).toBeUndefined()
})

test('a disabled destination gives out no job until it is enabled', async () => {
  proves('destination.disabled')
  const started = await start()
  const { first, send, update, becomes } = started
  await update({ enabled: false })
  await started.settle()
  const id = await send()
  const marker = await expectNothingSent(started, first, [])
  await update({ enabled: true })
  await waitFor(() => expect(first.agent.prints()).toEqual([marker, id]))
  await becomes(id, { state: 'sent' })
})

test('a deletion ends the waiting jobs in `error`, also a job that is created later, and no other job', async () => {
  proves('destination.delete', 'destination.delete.taken')
  const { first, send, devices, ids, becomes, world, job, createJob } = await start()
  const taken = await send()
  await receive(first.agent, taken)
  const waiting = await send()
  const own = await createJob(first.printer)
  await devices.deleteDestination(ids)
  await becomes(waiting, { state: 'error', stateReasons: ['destination-deleted'] })
  const late = await send()
  await world.sweep('jobs', 'deleted destinations')
  await becomes(late, { state: 'error', stateReasons: ['destination-deleted'] })
  await becomes(own, { state: 'sent' })
  expect((await job(taken))?.state).toBe('received')
  await expect(devices.getDestination(ids)).rejects.toMatchObject({ code: 'not_found' })
})

test('a deletion that jobs have not confirmed is repeated', async () => {
  const { send, devices, ids, becomes, world, sweep, first } = await start()
  await receive(first.agent, await send())
  const waiting = await send()
  let calls = 0
  world.intercept(JobsService.method.endDestination, async (request, next) => {
    if (calls++ === 0) throw new Error('the test loses the call')
    return await next(request)
  })
  await devices.deleteDestination(ids)
  await expect(devices.getDestination(ids)).rejects.toMatchObject({ code: 'not_found' })
  expect((await world.query('SELECT FROM devices.destination WHERE id = $1', [ids.destinationId])).length).toBe(1)
  await sweep('deleted')
  await becomes(waiting, { state: 'error' })
  expect(await world.query('SELECT FROM devices.destination WHERE id = $1', [ids.destinationId])).toEqual([])
})

test('a deletion of the planned computer, and a purge of the planned printer, end no waiting job', async () => {
  proves('destination.planned.deleted')
  const { first, second, send, devices, getState, jobs, tenant, advance, announce, settle } = await start({
    standbyAfter: 60,
  })
  await first.report(OUT_OF_PAPER)
  await settle()
  const id = await send()
  await jobs.purgePrinter({ ...tenant, ...first.printerIds, ...first.computerIds, actor: 'api', includePrinting: true })
  expect(await getState(id)).toBe('queued')
  await devices.deleteComputer(first.computerIds)
  expect(await getState(id)).toBe('queued')
  advance(60)
  await announce()
  await waitFor(() => expect(second.agent.prints()).toEqual([id]))
})

test('options are resolved for the printer that takes the job', async () => {
  proves('destination.options')
  const { second, first, send, devices, becomes, job, advance, announce, settle } = await start()
  await second.report(TAKES_ONE)
  await devices.updatePrinter({ ...second.printerIds, defaultOptions: { bin: 'tray-2' } })
  await first.report(OUT_OF_PAPER)
  await settle()
  const id = await send({ options: { copies: 5 }, effectiveOptions: { copies: 5 }, requestedOptions: { copies: 5 } })
  advance(STANDBY_SECONDS)
  await announce()
  const [print] = await second.agent.waitForMessages('print')
  expect(print).toMatchObject({ jobId: id, options: { bin: 'tray-2' } })
  await becomes(id, { options: { copies: 5, bin: 'tray-2' }, stateReasons: ['option-ignored'] })
  expect((await job(id))?.stateMessage).toContain('copies 5')
})

test('the printer that takes the first job of a batch takes all, with options of its own, and then the next job', async () => {
  proves('destination.batch')
  const { first, second, send, sendBatch, becomes, announce } = await start({ policy: 'any' })
  await second.report(TAKES_ONE)
  await first.report(OUT_OF_PAPER)
  const [options, requestedOptions] = [{ copies: 5 }, { copies: 5 }]
  const batch = await sendBatch([{}, { options, requestedOptions }, {}])
  const next = await send()
  await announce()
  await waitFor(() => expect(second.agent.prints()).toEqual(batch))
  await becomes(batch[1] ?? '', { printerId: second.printer.id, stateReasons: ['option-ignored'] })
  // The other printer returns, and takes nothing of the batch.
  await first.report(LASER)
  await announce()
  await waitFor(() => expect(first.agent.prints()).toEqual([next]))
  expect(second.agent.prints()).toEqual(batch)
})

test('jobs of a batch that wait for a destination wait for no other jobs of the batch at its printers', async () => {
  const { first, second, destinationId, organization, announce } = await start()
  await second.report(OUT_OF_PAPER)
  const [own = '', waiting = ''] = await organization.createBatch(first.printer, [
    {},
    { destinationId, requestedOptions: {} },
  ])
  await waitFor(() => expect(first.agent.prints()).toContain(own))
  await announce()
  await waitFor(() => expect(first.agent.prints()).toEqual([own, waiting]))
})

test('a batch whose jobs return unacknowledged stays with its printer, and is not split', async () => {
  proves('destination.batch.stays')
  const started = await start({ standbyAfter: 0 })
  const { first, second, sendBatch, becomes, useUpResends } = started
  const batch = await sendBatch([{}, {}])
  await waitFor(() => expect(first.agent.prints()).toEqual(batch))
  await first.report(OUT_OF_PAPER)
  await started.settle()
  await useUpResends(batch.length)
  await expectNothingSent(started, second, [])
  for (const id of batch) await becomes(id, { computerId: first.computerId })
})

test('a printer that has stopped since it was given the turn takes no job', async () => {
  proves('destination.available')
  const { world, first, send, organizationId, destinationId, settle, job } = await start()
  await first.report(OUT_OF_PAPER)
  await settle()
  const id = await send()
  const { devices } = world.contexts
  const stream = { organizationId, computerId: first.computerId, epoch: 1n }
  const claim = () =>
    claimDestinationJob(devices, stream, first.printer.id, [{ destinationId, revision: 1n, passed: [] }])
  expect(await claim()).toBeUndefined()
  expect(await job(id)).toMatchObject({ state: 'queued' })
  await first.report(LASER)
  await waitFor(() => expect(first.agent.prints()).toEqual([id]))
})

test('a destination shows why each of its printers is not available, and since when', async () => {
  const { world, first, second, get, advance } = await start()
  const now = () => timestampFromDate(world.clock.now())
  const createdAt = now()
  const shown = async (n: number) => (await get())?.printers[n]
  const becomes = async (n: number, facts: object) => expect(await shown(n)).toMatchObject(facts)
  advance(1)
  await first.report({ ...LASER, stateReasons: ['computer-disk-full'] })
  await becomes(0, { reason: 'computer-disk-full', since: now() })
  await first.report(LASER)
  expect((await shown(0))?.reason).toBeUndefined()
  advance(1)
  await first.report()
  await becomes(0, { reason: 'printer-removed', since: now() })
  second.agent.shutDown()
  await waitFor(() => becomes(1, { reason: 'computer-offline', since: now() }))
  // The row is gone 400 days after the deletion of a computer.
  await world.query('DELETE FROM devices.printer WHERE id = $1', [first.printer.id])
  await becomes(0, { reason: 'printer-removed', since: createdAt })
})

test('each printer knows the destinations that have it, and IPP finds each of them by its id and by its number', async () => {
  const { world, devices, tenant, first, second, destinationId } = await start()
  const settings = { name: 'cellar', policy: 'any', standbyAfter: 0, enabled: true }
  const { destination } = await devices.createDestination({ ...tenant, ...settings, printerIds: [second.printer.id] })
  const cellar = destination ?? expect.fail('no destination')
  for (const text of [cellar.id, String(cellar.number)])
    expect((await devices.getSharedDestination({ ...tenant, destination: text })).destination?.name).toBe('cellar')
  const listDestinationIds = async ({ computerId }: typeof first) =>
    (await world.contexts.devices.printers.list(computerId)).map(({ destinationIds }) => destinationIds.toSorted())
  expect(await listDestinationIds(first)).toEqual([[destinationId]])
  expect(await listDestinationIds(second)).toEqual([[destinationId, cellar.id]])
})
