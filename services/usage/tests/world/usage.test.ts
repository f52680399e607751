import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { readUsage, startUsage } from '../test-usage.ts'

test('a new organization has used nothing, in a month of UTC and with a plan without limits', async () => {
  proves(
    'endpoint.GET.usage',
    'usage.period.start',
    'usage.period.end',
    'usage.prints.limit',
    'usage.computers.limit',
    'usage.plan',
    'usage.testJobsToday.limit',
    'usage.default-plan',
  )
  const { api, world } = await startUsage()
  const now = world.clock.now()
  const utc = (monthsLater: number, day: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsLater, day)).toISOString()
  expect(await readUsage(api)).toEqual({
    period: { start: utc(0, 1), end: utc(1, 1) },
    prints: { used: 0, limit: null },
    computers: { used: 1, limit: null },
    plan: 'self-hosted',
    testJobsToday: { used: 0, limit: 500, resetsAt: utc(0, now.getUTCDate() + 1) },
  })
})

test('an accepted live job is one print, with any `qty` and pages; a refused creation is none', async () => {
  proves('usage.prints.used', 'usage.print.qty', 'usage.print.pages', 'usage.print.refused')
  const { api, liveJob, expectPrints } = await startUsage()
  const notPdf = Buffer.from('Hello').toString('base64')
  for (const changes of [{ qty: 0 }, { content: notPdf }, { printerId: '01890a5d-ac96-774b-bcce-b302099a8057' }])
    expect((await api.post('/v1/printjobs', liveJob(changes))).status).toBeGreaterThanOrEqual(400)
  await api.createJob(liveJob({ qty: 2 }))
  await expectPrints(1)
  const twoPages = makePdf('Hello').toString('latin1').replace('[3 0 R] /Count 1', '[3 0 R 3 0 R] /Count 2')
  expect(twoPages).toContain('/Count 2')
  await api.createJob(liveJob({ content: Buffer.from(twoPages, 'latin1').toString('base64') }))
  await expectPrints(2)
})

test('a live job that ends in `error` or expires is one print', async () => {
  proves('usage.print.outcome')
  const { api, liveJob, printer, world, expectPrints } = await startUsage()
  const { computerId } = printer
  const failing = await api.createJob(liveJob())
  await world.jobs.reconcileComputer({ computerId, epoch: 1n, heldJobIds: [] })
  await world.jobs.claimJobs({ claims: [{ computerId, epoch: 1n, limit: 8 }] })
  const failure = { computerId, epoch: 1n, attempt: 1, trigger: AgentTrigger.FAIL }
  await world.jobs.recordAgentUpdates({ updates: [{ jobId: failing.id, ...failure }] })
  const expiring = await api.createJob(liveJob({ expireAfter: 60 }))
  world.advance(60_000)
  await world.sweep('jobs', 'expired')
  expect((await api.waitUntilFinal(expiring.id)).state).toBe('expired')
  expect((await api.getJob(failing.id)).state).toBe('error')
  await expectPrints(2)
})

test('a requeued job is counted once', async () => {
  const { api, liveJob, printer, world, expectPrints } = await startUsage()
  const { computerId } = printer
  const job = await api.createJob(liveJob())
  await world.jobs.reconcileComputer({ computerId, epoch: 1n, heldJobIds: [] })
  await world.jobs.claimJobs({ claims: [{ computerId, epoch: 1n, limit: 8 }] })
  await expectPrints(1)
  // 3 resends come first.
  for (let round = 0; round < 4; round++) {
    world.advance(60_000)
    await world.sweep('jobs', 'unacknowledged')
  }
  const queued = await world.query(
    `SELECT FROM jobs.event_log WHERE type = 'printjob.queued' AND body::json->'data'->>'id' = $1`,
    [job.id],
  )
  expect(queued).toHaveLength(2)
  await expectPrints(1)
})

test('test jobs are counted for the day and are no prints; a test key sees the live usage', async () => {
  proves('usage.testJobsToday.used', 'usage.test-key')
  const { api, testApi, id, liveJob, testJob, world, expectPrints } = await startUsage()
  await world.usage.setPlan({ organizationId: id, printsLimit: 10 })
  await testApi.createJob(testJob())
  await testApi.createJob(testJob())
  await api.createJob(liveJob())
  await expectPrints(1)
  expect(await readUsage(testApi)).toEqual(await readUsage(api))
  expect(await readUsage(testApi)).toMatchObject({ prints: { used: 1, limit: 10 }, testJobsToday: { used: 2 } })
})

test('live computers are counted, and the test computer is not', async () => {
  proves('usage.computers.used')
  const { api, enroll } = await startUsage()
  expect((await readUsage(api)).computers.used).toBe(1)
  await enroll()
  expect((await readUsage(api)).computers.used).toBe(2)
})

test('a plan with a limit is `custom`, and without one `self-hosted`', async () => {
  const { id: organizationId, api, world } = await startUsage()
  const most = 2 ** 32 - 1
  for (const [name, printsLimit, computersLimit] of [
    ['custom', 0, 0],
    ['custom', most, undefined],
    ['custom', undefined, most],
    ['self-hosted', undefined, undefined],
  ] as const) {
    const { plan: set } = await world.usage.setPlan({ organizationId, printsLimit, computersLimit })
    const { plan: got } = await world.usage.getPlan({ organizationId })
    for (const plan of [set, got])
      expect([plan?.name, plan?.printsLimit, plan?.computersLimit]).toEqual([name, printsLimit, computersLimit])
    const { plan, prints, computers } = await readUsage(api)
    expect([plan, prints.limit, computers.limit]).toEqual([name, printsLimit ?? null, computersLimit ?? null])
  }
})

test('an id that is not of an organization is refused', async () => {
  const { usage } = (await startUsage()).world
  const wrong = { organizationId: 'unknown' }
  await Promise.all(
    [usage.getPlan(wrong), usage.getUsage(wrong), usage.setPlan(wrong)].map((call) =>
      expect(call).rejects.toMatchObject({ code: 'invalid_request' }),
    ),
  )
})
