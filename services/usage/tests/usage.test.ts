import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { USAGE_CONSUMER } from '@platen/proto/subjects.ts'
import type { Api } from '@platen/test/harness/api.ts'
import { consumerOf } from '@platen/test/harness/consumer-of.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'

import { startTestPlaten, type TestPlaten } from './start-test-platen.ts'

async function usageOf(api: Api) {
  const { status, body } = await api.get('/v1/usage')
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const expectPrints = (api: Api, used: number) =>
  waitFor(async () => expect((await usageOf(api)).prints.used).toBe(used))

/** Everything that was told to usage is counted, however often it was told. */
async function expectAllHeard(platen: TestPlaten): Promise<void> {
  await waitFor(async () => {
    expect(await platen.query('SELECT event_id FROM jobs.outbox')).toEqual([])
    expect(await consumerOf(platen.nats, USAGE_CONSUMER)).toMatchObject({ num_pending: 0, num_ack_pending: 0 })
  })
}

/** Claims what waits for the computer, as its newest stream. */
async function claim({ jobs }: TestPlaten, computerId: string, epoch: bigint): Promise<void> {
  await jobs.reconcileComputer({ computerId, epoch, heldJobIds: [] })
  await jobs.claimJobs({ claims: [{ computerId, epoch, limit: 8 }] })
}

test('an organization that has done nothing yet has used nothing, of a month in UTC and of a plan without limits', async () => {
  const platen = await startTestPlaten({ now: new Date('2026-12-31T23:59:59.999Z') })
  const { live } = await platen.addOrganization()
  expect(await usageOf(live)).toEqual({
    period: { start: '2026-12-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' },
    prints: { used: 0, limit: null },
    computers: { used: 1, limit: null },
    plan: 'self-hosted',
    testJobsToday: { used: 0, limit: 500, resetsAt: '2027-01-01T00:00:00.000Z' },
  })
})

test('an accepted live job is one print, whatever its qty and pages', async () => {
  const platen = await startTestPlaten()
  const { live, liveJob } = await platen.addOrganization()
  await live.createJob(liveJob({ qty: 2 }))
  await expectPrints(live, 1)
  const twoPages = makePdf('Hello').toString('latin1').replace('[3 0 R] /Count 1', '[3 0 R 3 0 R] /Count 2')
  expect(twoPages).toContain('/Count 2')
  await live.createJob(liveJob({ content: Buffer.from(twoPages, 'latin1').toString('base64') }))
  await expectAllHeard(platen)
  await expectPrints(live, 2)
})

test('a live job that ends in error or expires is one print', async () => {
  const platen = await startTestPlaten()
  const { live, liveJob, liveComputerId } = await platen.addOrganization()
  const failing = await live.createJob(liveJob())
  await claim(platen, liveComputerId, 1n)
  const failure = { computerId: liveComputerId, epoch: 1n, attempt: 1, trigger: AgentTrigger.FAIL }
  await platen.jobs.recordAgentUpdates({ updates: [{ jobId: failing.id, ...failure }] })
  const expiring = await live.createJob(liveJob({ expireAfter: 60 }))
  platen.clock.advanceSeconds(60)
  expect((await live.waitUntilFinal(expiring.id)).state).toBe('expired')
  expect((await live.getJob(failing.id)).state).toBe('error')
  await expectAllHeard(platen)
  await expectPrints(live, 2)
})

test('a creation that is refused is no print', async () => {
  const platen = await startTestPlaten()
  const { live, liveJob } = await platen.addOrganization()
  const notPdf = Buffer.from('Hello').toString('base64')
  for (const changes of [{ qty: 0 }, { content: notPdf }, { printerId: '01890a5d-ac96-774b-bcce-b302099a8057' }])
    expect((await live.post('/v1/printjobs', liveJob(changes))).status).toBeGreaterThanOrEqual(400)
  await live.createJob(liveJob())
  await expectPrints(live, 1)
  await expectAllHeard(platen)
  await expectPrints(live, 1)
})

test('a job that is given back to queued and sent again is counted once', async () => {
  const platen = await startTestPlaten()
  const { live, liveJob, liveComputerId } = await platen.addOrganization()
  const { id } = await live.createJob(liveJob())
  await claim(platen, liveComputerId, 1n)
  const states = ['queued', 'sent', 'sent', 'sent', 'sent', 'queued']
  for (let entered = 3; entered <= states.length; entered++) {
    platen.clock.advanceSeconds(60)
    await waitFor(async () => expect(await live.eventStates(id)).toEqual(states.slice(0, entered)))
  }
  await expectAllHeard(platen)
  const { delivered } = await consumerOf(platen.nats, USAGE_CONSUMER)
  expect(delivered.consumer_seq, 'it was told of twice').toBeGreaterThanOrEqual(2)
  expect(await platen.query('SELECT job_id FROM usage.ledger')).toEqual([{ job_id: id }])
  await expectPrints(live, 1)
})

test("a test key sees the organization's live usage", async () => {
  const platen = await startTestPlaten()
  const { id, live, test: testApi, liveJob } = await platen.addOrganization()
  await platen.usage.setPlan({ organizationId: id, printsLimit: 10 })
  await live.createJob(liveJob())
  await expectPrints(live, 1)
  expect(await usageOf(testApi)).toEqual(await usageOf(live))
  expect(await usageOf(testApi)).toMatchObject({ prints: { used: 1, limit: 10 }, computers: { used: 1, limit: null } })
})

test('a test job is no print, and usage is not even told of it', async () => {
  const platen = await startTestPlaten()
  const { live, test: testApi, testJob } = await platen.addOrganization()
  await testApi.createJob(testJob())
  await expectAllHeard(platen)
  expect((await consumerOf(platen.nats, USAGE_CONSUMER)).delivered.consumer_seq).toBe(0)
  await expectPrints(live, 0)
})

test('test jobs are counted for the UTC day, until the next one begins', async () => {
  const platen = await startTestPlaten({ now: new Date('2026-03-10T23:59:59Z') })
  const { live, liveJob, test: testApi, testJob } = await platen.addOrganization()
  await testApi.createJob(testJob())
  await testApi.createJob(testJob())
  await live.createJob(liveJob())
  const today = async () => (await usageOf(testApi)).testJobsToday
  expect(await today()).toEqual({ used: 2, limit: 500, resetsAt: '2026-03-11T00:00:00.000Z' })
  platen.clock.advanceSeconds(1)
  expect(await today()).toEqual({ used: 0, limit: 500, resetsAt: '2026-03-12T00:00:00.000Z' })
  await testApi.createJob(testJob())
  expect((await today()).used).toBe(1)
})

test('a new month counts from 0, and a job belongs to the month in UTC in which it was created', async () => {
  const platen = await startTestPlaten({ now: new Date('2026-01-31T23:59:59.999Z') })
  const { live, liveJob } = await platen.addOrganization()
  await live.createJob(liveJob())
  await expectPrints(live, 1)
  // Told of in February only.
  await platen.firstUsage.stop()
  await live.createJob(liveJob())
  platen.clock.advanceSeconds(0.001)
  await live.createJob(liveJob())
  await platen.startUsageReplica()
  await expectAllHeard(platen)
  const { period, prints } = await usageOf(live)
  expect({ period, prints }).toEqual({
    period: { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' },
    prints: { used: 1, limit: null },
  })
  expect(
    await platen.query(`SELECT period_start AS start, prints FROM usage.period_count ORDER BY period_start`),
  ).toEqual([
    { start: new Date('2026-01-01T00:00:00Z'), prints: 2 },
    { start: new Date('2026-02-01T00:00:00Z'), prints: 1 },
  ])
})

test('each organization sees its own usage alone', async () => {
  const platen = await startTestPlaten()
  const [ours, theirs] = [await platen.addOrganization(), await platen.addOrganization()]
  await platen.usage.setPlan({ organizationId: theirs.id, printsLimit: 7, computersLimit: 8 })
  await theirs.live.createJob(theirs.liveJob())
  await theirs.test.createJob(theirs.testJob())
  await theirs.addComputer()
  await expectPrints(theirs.live, 1)
  expect(await usageOf(ours.live)).toMatchObject({
    prints: { used: 0, limit: null },
    computers: { used: 1, limit: null },
    plan: 'self-hosted',
    testJobsToday: { used: 0 },
  })
  expect(await usageOf(theirs.live)).toMatchObject({
    prints: { used: 1, limit: 7 },
    computers: { used: 2, limit: 8 },
    plan: 'custom',
    testJobsToday: { used: 1 },
  })
})

test('live computers are counted, and the virtual test computer is not', async () => {
  const platen = await startTestPlaten()
  const { live, addComputer } = await platen.addOrganization()
  expect((await usageOf(live)).computers.used).toBe(1)
  await addComputer()
  expect((await usageOf(live)).computers.used).toBe(2)
})

test('a plan with a limit is called custom, and without any self-hosted again', async () => {
  const platen = await startTestPlaten()
  const { id: organizationId, live } = await platen.addOrganization()
  const shown = async () => {
    const { plan, prints, computers } = await usageOf(live)
    return [plan, prints.limit, computers.limit]
  }
  const most = 2 ** 32 - 1
  for (const [printsLimit, computersLimit] of [
    [0, 0],
    [most, undefined],
    [undefined, most],
    [undefined, undefined],
  ]) {
    const name = printsLimit === undefined && computersLimit === undefined ? 'self-hosted' : 'custom'
    const { plan: set } = await platen.usage.setPlan({ organizationId, printsLimit, computersLimit })
    const { plan: got } = await platen.usage.getPlan({ organizationId })
    for (const plan of [set, got])
      expect([plan?.name, plan?.printsLimit, plan?.computersLimit]).toEqual([name, printsLimit, computersLimit])
    expect(await shown()).toEqual([name, printsLimit ?? null, computersLimit ?? null])
  }
})

test('who is no organization has no plan', async () => {
  const { usage } = await startTestPlaten()
  const wrong = { organizationId: 'nobody' }
  for (const call of [usage.getPlan(wrong), usage.getUsage(wrong), usage.setPlan(wrong)])
    await expect(call).rejects.toMatchObject({ code: 'invalid_request' })
})
