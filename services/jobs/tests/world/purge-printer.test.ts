import { create } from '@bufbuild/protobuf'
import { AgentTrigger, PurgePrinterRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { BATCH } from '../../change-in-batches.ts'
import { purgePrinter } from '../../rpc/purge-printer.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { startTestJobs } from '../start-test-jobs.ts'

const { ACKNOWLEDGE, COMPLETE } = AgentTrigger

/** A printer and its computer, whose agent holds the jobs that it received. */
async function start() {
  const jobs = await startTestJobs()
  const agent = createTestAgent(jobs)
  await agent.hello(1n)
  const printer = { organizationId: uuidv7(), mode: 'live', printerId: uuidv7() }
  const addJobs = async (count: number, state: Parameters<typeof agent.jobIn>[0], facts: object = {}) => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.push(await agent.jobIn(state, { ...printer, ...facts }))
    return ids
  }
  const purge = (facts: object = {}) => {
    const request = { ...printer, computerId: agent.computerId, actor: 'api', ...facts }
    return purgePrinter(jobs, create(PurgePrinterRequestSchema, request))
  }
  const states = (ids: string[]) => Promise.all(ids.map(jobs.getState))
  return { jobs, agent, addJobs, purge, states }
}

test('a purge cancels what is queued or sent and ends what is received; what is printing ends if asked', async () => {
  proves(
    'printer.purge.cancelled',
    'printer.purge.received',
    'printer.purge.printing',
    'printer.purge.printing.default',
    'printer.purge.counts',
    'printer.purge.repeated',
    'state-reason.purged',
  )
  const { jobs, agent, addJobs, purge, states } = await start()
  const [printing = ''] = await addJobs(1, 'printing')
  const received = await addJobs(5, 'received')
  const sent = await addJobs(3, 'sent')
  const queued = await addJobs(4, 'queued')
  const others = [
    ...(await addJobs(1, 'queued', { printerId: uuidv7() })),
    ...(await addJobs(1, 'queued', { organizationId: uuidv7() })),
    ...(await addJobs(1, 'queued', { mode: 'test' })),
    ...(await addJobs(1, 'queued', { destinationId: uuidv7(), requestedOptions: {} })),
  ]
  expect(await purge()).toEqual({ cancelled: 7, ended: 5 })
  expect(await purge()).toEqual({ cancelled: 0, ended: 0 })
  expect(await states([...sent, ...queued])).toEqual(Array(7).fill('cancelled'))
  expect(await states(received)).toEqual(Array(5).fill('error'))
  expect(await states([printing, ...others])).toEqual(['printing', ...Array(4).fill('queued')])
  expect((await agent.removals(1n)).sort()).toEqual(received.sort())
  expect(await purge({ includePrinting: true })).toEqual({ cancelled: 0, ended: 1 })
  expect(await agent.removals(1n)).toContain(printing)
  expect(jobs.timesWoken(agent.computerId)).toBe(2)
  for (const id of [printing, ...received, ...sent, ...queued]) {
    expect(await jobs.row(id, 'state_reasons')).toEqual({ state_reasons: ['purged'] })
    expect((await jobs.eventActors(id)).at(-1)).toBe('api')
  }
})

test('the removal of a purged job is new, also if the job has an older one', async () => {
  const { jobs, agent, addJobs, purge } = await start()
  const [received = ''] = await addJobs(1, 'received')
  const values = [received, agent.computerId, jobs.clock.now()]
  await jobs.pool.query('INSERT INTO jobs.removal (job_id, computer_id, created_at) VALUES ($1, $2, $3)', values)
  jobs.advance(1)
  expect(await purge()).toEqual({ cancelled: 0, ended: 1 })
  expect(await agent.removals(1n)).toEqual([received])
  const { rows } = await jobs.pool.query('SELECT created_at FROM jobs.removal WHERE job_id = $1', [received])
  expect(rows).toEqual([{ created_at: jobs.clock.now() }])
})

test('an agent that was away gets its purged jobs at its hello; late reports change nothing', async () => {
  proves('printer.purge.computer-offline', 'printer.purge.late-done')
  const { agent, addJobs, purge, states } = await start()
  const [sent = ''] = await addJobs(1, 'sent')
  const [received = ''] = await addJobs(1, 'received')
  await purge()
  expect((await agent.hello(2n, [sent, received])).sort()).toEqual([sent, received].sort())
  expect(await agent.report(received, COMPLETE)).toMatchObject({ state: 'error' })
  expect(await agent.report(sent, ACKNOWLEDGE, { epoch: 2n })).toEqual({ state: 'cancelled', granted: false })
  expect(await states([sent, received])).toEqual(['cancelled', 'error'])
})

test('a purge that waits for a concurrent report ends what that report leaves unfinished', async () => {
  const { jobs, agent, addJobs, purge, states } = await start()
  const [done = '', acknowledged = ''] = [...(await addJobs(1, 'printing')), ...(await addJobs(1, 'sent'))]
  const update = 'UPDATE jobs.job SET state = $2, final_state = $3 WHERE id = $1'
  const commit = await holdTransaction(jobs.pool, async (client) => {
    await client.query(update, [acknowledged, 'received', null])
    await client.query(update, [done, 'done', 'done'])
  })
  const purged = purge({ includePrinting: true })
  await untilBlocked(jobs.pool)
  await commit()
  expect(await purged).toEqual({ cancelled: 0, ended: 1 })
  expect(await states([done, acknowledged])).toEqual(['done', 'error'])
  expect(await agent.removals(1n)).toEqual([acknowledged])
})

test('a purge that waits for a report of done has the agent remove nothing', async () => {
  const { jobs, agent, addJobs, purge } = await start()
  const [done] = await addJobs(1, 'printing')
  const commit = await holdTransaction(jobs.pool, (client) =>
    client.query(`UPDATE jobs.job SET state = 'done', final_state = 'done' WHERE id = $1`, [done]),
  )
  const purged = purge({ includePrinting: true })
  await untilBlocked(jobs.pool)
  await commit()
  expect(await purged).toEqual({ cancelled: 0, ended: 0 })
  expect(await agent.removals(1n)).toEqual([])
})

test('a purge ends more jobs than fit into one batch', async () => {
  const { jobs, addJobs, purge } = await start()
  const [id = ''] = await addJobs(1, 'queued')
  await copyJob(jobs.pool, id, BATCH)
  expect(await purge()).toEqual({ cancelled: BATCH + 1, ended: 0 })
})
