/** Claims of jobs that wait for destinations. What devices decide is in `devices/tests/world/destinations.test.ts`. */
import { create } from '@bufbuild/protobuf'
import {
  AgentTrigger,
  ClaimDestinationJobRequestSchema,
  DescribeDestinationsRequestSchema,
  EndComputerRequestSchema,
  EndDestinationRequestSchema,
  FenceDestinationRequestSchema,
  ListPrinterQueuesRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { Pool, type QueryResult } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { changeStates, requestedChanges } from '../../change-state.ts'
import type { NewJob } from '../../create-jobs.ts'
import { readJobDetails } from '../../job-details.ts'
import { claimDestinationJob } from '../../rpc/claim-destination-job.ts'
import { describeDestinations } from '../../rpc/describe-destinations.ts'
import { endComputer } from '../../rpc/end-computer.ts'
import { endDestination } from '../../rpc/end-destination.ts'
import { fenceDestination } from '../../rpc/fence-destination.ts'
import { listPrinterQueues } from '../../rpc/list-printer-queues.ts'
import { announceWaiting } from '../../timers/announce-waiting.ts'
import { settleWaiting } from '../../timers/settle-waiting.ts'
import { sweepDeletedDestinations } from '../../timers/sweep-deleted-destinations.ts'
import { sweepUnacknowledged } from '../../timers/sweep-unacknowledged.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { startTestJobs } from '../start-test-jobs.ts'

const RESEND_MS = 60_000

async function start() {
  const jobs = await startTestJobs()
  const destinationId = uuidv7()
  const organizationId = uuidv7()
  const planned = { printerId: uuidv7(), computerId: uuidv7() }

  /** A computer with a printer, whose stream has the epoch 1. @param pool of its claims of destinations. */
  async function connect(pool = jobs.pool) {
    const printerId = uuidv7()
    const agent = createTestAgent(jobs)
    await agent.hello(1n)
    const { computerId } = agent
    const take = async (facts: { epoch?: bigint; revision?: bigint; destinationIds?: string[] } = {}) => {
      const { epoch = 1n, revision = 1n, destinationIds = [destinationId] } = facts
      const turns = destinationIds.map((id) => ({ destinationId: id, revision, passedPrinters: [] }))
      const request = { organizationId, computerId, epoch, printerId, printer: {}, turns }
      return (await claimDestinationJob({ ...jobs, pool }, create(ClaimDestinationJobRequestSchema, request))).job
    }
    return {
      ...agent,
      printerId,
      take,
      takeId: async (...facts: Parameters<typeof take>) => (await take(...facts))?.jobId,
    }
  }

  return {
    jobs,
    destinationId,
    organizationId,
    planned,
    connect,
    add: (facts: Partial<NewJob> = {}) =>
      jobs.addJob({ organizationId, mode: 'live', ...planned, destinationId, requestedOptions: {}, ...facts }),
    readJob: (id: string) => jobs.row(id, 'state, printer_id, computer_id, waiting_destination_id, destination_id'),
    describe: (printerIds: string[] = [], tenant: { organizationId?: string; mode?: string } = {}) =>
      describeDestinations(
        jobs,
        create(DescribeDestinationsRequestSchema, {
          ...{ organizationId, mode: 'live', destinationIds: [destinationId], printerIds, ...tenant },
        }),
      ),
  }
}

test('two printers that claim at once get two jobs, and further printers the next ones, each once', async () => {
  proves('destination.any')
  const { connect, add, describe } = await start()
  const printers = await Promise.all(Array.from({ length: 6 }, () => connect()))
  const ids = [await add(), await add(), await add(), await add()]
  const taken = await Promise.all(printers.map(({ takeId }) => takeId()))
  expect(taken.filter((id) => id !== undefined).toSorted()).toEqual(ids.toSorted())
  for (const [n, { printerId }] of printers.entries())
    expect((await describe([printerId])).jobs).toEqual(taken[n] ? [{ printerId, jobId: taken[n] }] : [])
})

test('a printer that claims twice at once gets one job', async () => {
  proves('destination.one-at-a-time')
  const { connect, add } = await start()
  const printer = await connect()
  await add()
  await add()
  const taken = await Promise.all([1, 2, 3, 4].map(() => printer.takeId()))
  expect(taken.filter((id) => id !== undefined)).toHaveLength(1)
})

test('the claim of an outdated stream, or by an outdated revision, gets nothing and changes nothing', async () => {
  proves('destination.edit')
  const { jobs, destinationId, connect, add, readJob, planned } = await start()
  const printer = await connect()
  // Another computer has a stream of the outdated epoch.
  await connect()
  const id = await add()
  await printer.hello(2n)
  expect(await printer.take({ epoch: 1n })).toBeUndefined()
  await fenceDestination(jobs, create(FenceDestinationRequestSchema, { destinationId, revision: 3n }))
  await fenceDestination(jobs, create(FenceDestinationRequestSchema, { destinationId, revision: 2n }))
  expect(await printer.take({ epoch: 2n, revision: 2n })).toBeUndefined()
  expect(await readJob(id)).toMatchObject({
    state: 'queued',
    printer_id: planned.printerId,
    waiting_destination_id: destinationId,
  })
  expect(await printer.takeId({ epoch: 2n, revision: 3n })).toBe(id)
})

test('a printer that takes a batch makes a hello and a change of the destination wait, and another printer takes none of the batch', async () => {
  proves('batch.between', 'destination.edit')
  const { jobs, destinationId, connect, add, readJob, planned } = await start()
  // A claim fails if it waits for the other one.
  const impatient = new Pool({ connectionString: jobs.databaseUrl, max: 1, options: '-c lock_timeout=1s' })
  onTestFinished(() => impatient.end())
  const [printer, other] = [await connect(), await connect(impatient)]
  const first = await add()
  // A claim locks them in this order.
  const [cancelled = '', last = ''] = [await add(), await add()].sort()
  const elsewhere = await add({ destinationId: uuidv7() })
  const batch = [first, cancelled, last, elsewhere]
  await jobs.pool.query('UPDATE jobs.job SET batch_id = $1 WHERE id = ANY($2)', [uuidv7(), batch])
  const [later, waiting] = [await add(), await add()]
  const fence = (revision: bigint) =>
    fenceDestination(jobs, create(FenceDestinationRequestSchema, { destinationId, revision }))
  await fence(1n)
  const cancel = requestedChanges([{ jobId: cancelled, trigger: 'cancel', actor: 'api' }])
  const commit = await holdTransaction(jobs.pool, (client) => changeStates(client, cancel, jobs.clock.now()))
  const taking = printer.takeId()
  await untilBlocked(jobs.pool)
  expect(await other.takeId()).toBe(later)
  const [hello, fenced] = [printer.hello(2n), fence(2n)]
  await untilBlocked(jobs.pool, 3)
  await commit()
  expect(await taking).toBe(first)
  await Promise.all([hello, fenced])
  // The hello finds the job that the earlier stream has got.
  expect(await jobs.eventStates(first)).toEqual(['queued', 'sent', 'sent'])
  expect(await readJob(last)).toMatchObject({ printer_id: printer.printerId, waiting_destination_id: null })
  for (const id of [cancelled, elsewhere, waiting])
    expect(await readJob(id)).toMatchObject({ printer_id: planned.printerId })
})

test('a printer takes no job before an older one of its own; held jobs and jobs of other printers are not waited for', async () => {
  proves('destination.order')
  const { connect, add } = await start()
  const printer = await connect()
  const blocked = uuidv7()
  await printer.addJob({ printerId: blocked })
  await printer.addJob({ printerId: printer.printerId, stateReasons: ['held'] })
  const own = await printer.addJob({ printerId: printer.printerId })
  const waiting = await add()
  expect(await printer.take()).toBeUndefined()
  expect(await printer.claimIds(1n, { blockedPrinterIds: [blocked] })).toEqual([own])
  expect(await printer.takeId()).toBe(waiting)
})

test('a printer that has begun a batch of its own takes no job before the rest of it, and another printer does', async () => {
  proves('batch.between')
  const { jobs, connect, add } = await start()
  const [printer, other] = [await connect(), await connect()]
  const [waiting, next] = [await add(), await add()]
  const { printerId } = printer
  const batch = [await printer.addJob({ printerId }), await printer.addJob({ printerId })]
  await jobs.pool.query('UPDATE jobs.job SET batch_id = $1 WHERE id = ANY($2)', [uuidv7(), batch])
  expect(await printer.claimIds(1n, { limit: 1 })).toEqual(batch.slice(0, 1))
  expect(await printer.take()).toBeUndefined()
  expect(await other.takeId()).toBe(waiting)
  expect(await printer.claimIds(1n, { claimedJobIds: batch })).toEqual(batch.slice(1))
  expect(await printer.takeId()).toBe(next)
})

test('of several destinations the printer takes the job that was accepted first', async () => {
  proves('destination.order')
  const { connect, add, destinationId, describe } = await start()
  const printer = await connect()
  const other = uuidv7()
  const ids = [await add({ destinationId: other }), await add(), await add({ destinationId: other })]
  for (const id of ids) {
    expect(await printer.takeId({ destinationIds: [destinationId, other] })).toBe(id)
    await printer.report(id, AgentTrigger.ACKNOWLEDGE)
    await printer.report(id, AgentTrigger.PRINT)
    await printer.report(id, AgentTrigger.COMPLETE)
    expect((await describe([printer.printerId])).jobs).toEqual([])
  }
})

test('held and scheduled jobs are not taken, and a job that is being fetched keeps later ones of its destination back', async () => {
  proves('destination.order')
  const { jobs, connect, add } = await start()
  const printer = await connect()
  // More than a claim reads of a destination.
  await copyJob(jobs.pool, await add({ stateReasons: ['held'] }), 40)
  const fetching = await add({ storageKey: null })
  await jobs.pool.query('UPDATE jobs.job SET fetching = true WHERE id = $1', [fetching])
  const later = await add()
  expect(await printer.take()).toBeUndefined()
  await jobs.pool.query('UPDATE jobs.job SET fetching = false WHERE id = $1', [fetching])
  expect(await printer.takeId()).toBe(fetching)
  expect(await jobs.getState(later)).toBe('queued')
})

test('a job that waits is no job of the planned printer or computer: no claim, no hello and no queue has it', async () => {
  proves('destination.planned.deleted')
  const { jobs, organizationId, add, planned, describe } = await start()
  const agent = createTestAgent(jobs, planned.computerId)
  const id = await add()
  await jobs.pool.query('UPDATE jobs.job SET fetching = true WHERE id = $1', [id])
  expect(await agent.hello(1n)).toEqual([])
  expect(await agent.claimIds(1n)).toEqual([])
  const own = await agent.addJob({ organizationId, mode: 'live', printerId: planned.printerId })
  expect(await agent.claimIds(1n)).toEqual([own])
  const tenant = { organizationId, mode: 'live' }
  const { queues } = await listPrinterQueues(jobs, create(ListPrinterQueuesRequestSchema, tenant))
  expect(queues).toMatchObject([{ first: { id: own }, jobs: 1 }])
  await agent.lose(2n)
  expect(await jobs.getState(id)).toBe('queued')
  expect(await describe([planned.printerId])).toMatchObject({ queues: [{ jobs: 1 }], jobs: [] })
})

test('a job that returns waits for its destination again, which is announced, and its queue is that of the destination', async () => {
  proves('destination.returns')
  const { jobs, destinationId, connect, add, readJob, describe } = await start()
  const printer = await connect()
  const [id, behind] = [await add(), await add()]
  const readQueue = async (jobId: string) => (await readJobDetails(jobs, { id: jobId }))?.details.queue
  expect(await readQueue(behind)).toMatchObject({ position: 2, length: 2, headJobId: id })
  expect(await printer.takeId()).toBe(id)
  expect((await describe([printer.printerId])).jobs).toEqual([{ printerId: printer.printerId, jobId: id }])
  for (const other of [{ organizationId: uuidv7() }, { mode: 'test' }])
    expect(await describe([printer.printerId], other)).toEqual({ queues: [], jobs: [] })
  jobs.announced.length = 0
  for (let n = 0; n < 4; n++) {
    jobs.advance(RESEND_MS / 1000)
    await sweepUnacknowledged(jobs, RESEND_MS)
  }
  expect(await readJob(id)).toMatchObject({ state: 'queued', waiting_destination_id: destinationId })
  expect(jobs.announced).toContain(destinationId)
  jobs.announced.length = 0
  await announceWaiting(jobs)
  expect(jobs.announced).toContain(destinationId)
  const other = await connect()
  expect(await other.take()).toMatchObject({ jobId: id, attempt: 5 })
  // The first agent is too late, whatever it reports.
  expect(await printer.report(id, AgentTrigger.ACKNOWLEDGE, { attempt: 4 })).toMatchObject({ granted: false })
  expect(await other.report(id, AgentTrigger.ACKNOWLEDGE, { attempt: 5 })).toMatchObject({ granted: true })
})

test('the end of a destination ends all jobs that wait for it, and no claim gets one of them', async () => {
  proves('destination.delete')
  const { jobs, destinationId, connect, add } = await start()
  const [printer, next] = [await connect(), await connect()]
  const taken = await add()
  expect(await printer.takeId()).toBe(taken)
  const waiting = await add()
  await copyJob(jobs.pool, waiting, 600)
  // Release 0.1.0 has sent it to the planned printer.
  const sent = await add()
  await jobs.force(sent, 'sent')
  const other = uuidv7()
  await fenceDestination(jobs, create(FenceDestinationRequestSchema, { destinationId: other, revision: 1n }))
  const ofOther = await add({ destinationId: other })
  await endDestination(jobs, create(EndDestinationRequestSchema, { destinationId }))
  expect(await jobs.getState(ofOther)).toBe('queued')
  const { rows } = await jobs.pool.query(
    'SELECT state, count(*)::int AS jobs FROM jobs.job WHERE destination_id = $1 GROUP BY 1',
    [destinationId],
  )
  expect(rows.toSorted((a, b) => a.jobs - b.jobs)).toEqual([
    { state: 'sent', jobs: 2 },
    { state: 'error', jobs: 601 },
  ])
  await add()
  expect(await next.take()).toBeUndefined()
})

test('the end of a destination does not wait for a printer that takes a job, which goes on', async () => {
  const { jobs, destinationId, connect, add } = await start()
  const printer = await connect()
  const taken = await add()
  const commit = await holdTransaction(jobs.pool, async (client) => {
    await client.query(
      `UPDATE jobs.job SET waiting_destination_id = NULL, computer_id = $2, printer_id = $3 WHERE id = $1`,
      [taken, printer.computerId, printer.printerId],
    )
    await changeStates(client, requestedChanges([{ jobId: taken, trigger: 'push', actor: 'system' }]), jobs.clock.now())
  })
  const waiting = await add()
  await endDestination(jobs, create(EndDestinationRequestSchema, { destinationId }))
  expect(await jobs.getState(waiting)).toBe('error')
  await commit()
  await sweepDeletedDestinations(jobs)
  expect(await printer.report(taken, AgentTrigger.ACKNOWLEDGE)).toMatchObject({ granted: true })
})

test('the end of a computer ends no job that waits for a destination, and no job of another computer', async () => {
  proves('destination.planned.deleted')
  const { jobs, connect, add } = await start()
  const [printer, other] = [await connect(), await connect()]
  const waiting = await add({ computerId: printer.computerId, printerId: printer.printerId })
  const ids = [waiting, await printer.jobIn('sent'), await printer.jobIn('received'), await other.jobIn('sent')]
  await endComputer(jobs, create(EndComputerRequestSchema, { computerId: printer.computerId }))
  expect(await Promise.all(ids.map(jobs.getState))).toEqual(['queued', 'cancelled', 'error', 'sent'])
})

test('a printer that has begun a batch takes the jobs of the batch that wait for a destination', async () => {
  const { jobs, add, connect } = await start()
  const printer = await connect()
  const { computerId, printerId } = printer
  const planned = { computerId, printerId }
  const elsewhere = await add({ ...planned, destinationId: uuidv7() })
  const [first, second] = [await add(planned), await add(planned)]
  const own = await printer.addJob({ printerId })
  const last = await add(planned)
  const batch = [elsewhere, first, second, own, last]
  await jobs.pool.query('UPDATE jobs.job SET batch_id = $1 WHERE id = ANY($2)', [uuidv7(), batch])
  expect(await printer.claimIds(1n)).toEqual([own])
  expect(await printer.takeId()).toBe(first)
  expect(await printer.claimIds(1n, { claimedJobIds: batch })).toEqual([second, last])
})

test('jobs that release 0.1.0 has sent to the planned printer hide none that waits', async () => {
  const { jobs, destinationId, planned, connect, add, readJob, describe } = await start()
  const sent = await add()
  await copyJob(jobs.pool, sent, 40)
  await jobs.pool.query(`UPDATE jobs.job SET state = 'done', final_state = 'done' WHERE destination_id = $1`, [
    destinationId,
  ])
  const waiting = await add()
  const printer = await connect()
  expect(await printer.takeId()).toBeUndefined()
  expect(await readJob(sent)).toMatchObject({ printer_id: planned.printerId })
  await settleWaiting(jobs)
  expect((await describe()).queues).toEqual([expect.objectContaining({ destinationId, jobs: 1 })])
  expect(await printer.takeId()).toBe(waiting)
})

test('jobs that wait for destinations are not in the index by which computers claim', async () => {
  const { jobs, add, planned } = await start()
  await copyJob(jobs.pool, await add(), 500)
  const agent = createTestAgent(jobs, planned.computerId)
  await agent.hello(1n)
  // Another index and a sort are cheaper if PostgreSQL has vacuumed that index while no job was unfinished.
  const explained = (await jobs.pool.query(
    `SET LOCAL enable_sort = off;
     EXPLAIN (ANALYZE, BUFFERS OFF, COSTS OFF, TIMING OFF, SUMMARY OFF)
     SELECT id FROM jobs.job
     WHERE computer_id = '${planned.computerId}' AND final_state IS NULL AND waiting_destination_id IS NULL
     ORDER BY accepted_order LIMIT 8`,
  )) as unknown as QueryResult<{ 'QUERY PLAN': string }>[]
  const plan = (explained[1]?.rows ?? []).map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('job_active')
  expect(plan).not.toMatch(/Rows Removed/)
})
