import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { ComputerSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { PlanSchema, type UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { createPrintsLimitLookUp } from '../prints-limit.ts'
import { expectError } from './expect-error.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'
import { AT, COMPUTER_ID, makePrinter, UPGRADE_URL } from './start-test-services.ts'

const LIVE_PRINTER_ID = '01890a5d-0000-7000-8000-000000000009'

const planWith = (printsLimit?: number) => create(PlanSchema, { name: 'scripted', printsLimit })

/** With a live key, and a printer for it. */
async function startLiveGateway({ withServices = true } = {}) {
  const world = await startTestGateway({ withServices })
  world.services.printers.push(Object.assign(makePrinter({ mode: 'live' }), { id: LIVE_PRINTER_ID }))
  const live = createApi(world.baseUrl, world.services.makeKey('live'))
  return { ...world, live, liveJob: () => printJob({ printerId: LIVE_PRINTER_ID }) }
}

test('the usage is shown in the form that was decided, a limit that is absent as null', async () => {
  const { api, services } = await startTestGateway()
  const at = AT.toISOString()
  services.computers.push(
    ...['live', 'test', 'live'].map((mode) =>
      create(ComputerSchema, { id: COMPUTER_ID, mode, createdAt: timestampFromDate(AT) }),
    ),
  )
  services.plan = create(PlanSchema, { name: 'custom', computersLimit: 0 })
  const { status, body } = await api.get('/v1/usage')
  expect(status).toBe(200)
  expect(body).toEqual({
    period: { start: at, end: at },
    prints: { used: 0, limit: null },
    computers: { used: 2, limit: 0 },
    plan: 'custom',
    testJobsToday: { used: 7, limit: 500, resetsAt: at },
  })
})

test('the usage needs the scope read, and takes no query', async () => {
  const { api, services, baseUrl } = await startTestGateway()
  const printing = createApi(baseUrl, services.makeKey('live', ['print']))
  expectError(await printing.get('/v1/usage'), 403, 'insufficient_scope', /`read`/)
  expectError(await api.get('/v1/usage?month=2026-01'), 400, 'invalid_request', /`month`/)
})

test('a print over the quota is a 402 with the address where the plan can be changed, and nothing is stored', async () => {
  const { live, liveJob, services } = await startLiveGateway()
  services.createJobError = 'quota_exceeded'
  const { status, headers, body } = await live.post('/v1/printjobs', liveJob())
  expect(status).toBe(402)
  expect(body).toEqual({
    error: {
      code: 'quota_exceeded',
      message: expect.stringMatching(/\w/),
      request_id: headers.get('x-request-id'),
      upgrade_url: UPGRADE_URL,
    },
  })
  await waitFor(async () => expect(await services.storedFiles()).toEqual([]))
})

describe('the limit of prints', () => {
  test('goes with a live job, as the plan of its organization has it, and with no test job', async () => {
    const { api, live, liveJob, services } = await startLiveGateway()
    services.plan = planWith(3)
    await live.createJob(liveJob())
    await api.createJob(printJob())
    expect(services.createdJobs.map(({ mode, printsLimit }) => [mode, printsLimit])).toEqual([
      ['live', 3],
      ['test', undefined],
    ])
  })

  test('is looked up once for a burst of live jobs, and never for test jobs', async () => {
    const { api, live, liveJob, services } = await startLiveGateway()
    await api.createJob(printJob())
    expect(services.planLookUps).toBe(0)
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 20 }, () => live.createJob(liveJob())))
    // Anew on the side after half of the 5 s.
    const lookUpsMax = 1 + Math.floor((performance.now() - startedAt) / 2_500)
    expect(services.planLookUps).toBeGreaterThan(0)
    expect(services.planLookUps).toBeLessThanOrEqual(lookUpsMax)
  })

  test('is none while usage is away and none is known: creations go on, and the gateway is ready', async () => {
    const { live, liveJob, services, baseUrl } = await startLiveGateway({ withServices: false })
    for (const name of ['accounts', 'devices', 'jobs'] as const) await services.start(name)
    await live.createJob(liveJob())
    expect(services.createdJobs.map(({ mode, printsLimit }) => [mode, printsLimit])).toEqual([['live', undefined]])
    const usage = await createApi(baseUrl, services.makeKey()).get('/v1/usage')
    expectError(usage, 503, 'service_unavailable')
    await waitFor(async () => expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200))
  })
})

describe('a look-up of the limit', () => {
  /** A usage service that answers what the test says, a clock, and what was logged. */
  function createWorld() {
    const state = { now: 0, limit: undefined as number | undefined, isUp: true, asked: 0 }
    const usage = {
      async getPlan() {
        state.asked++
        if (!state.isUp) throw new ApiError('service_unavailable', 'scripted')
        return { plan: planWith(state.limit) }
      },
    } as unknown as Client<typeof UsageService>
    const logged: string[] = []
    const log = createLogger('test', 'silent')
    for (const level of ['warn', 'info'] as const)
      log[level] = ((...facts: unknown[]) => logged.push(String(facts.at(-1)))) as typeof log.info
    const find = createPrintsLimitLookUp({ usage, log }, () => state.now)
    return { state, logged, find: (organizationId = 'a') => find({ organizationId, mode: 'live' }) }
  }

  test('is remembered for less than 5 s', async () => {
    const { state, find } = createWorld()
    state.limit = 1
    expect(await find()).toBe(1)
    state.limit = 2
    // The second half, in which it is looked up on the side, is left out.
    state.now = 2_499
    expect(await find()).toBe(1)
    expect(state.asked).toBe(1)
    state.now = 5_000
    expect(await find()).toBe(2)
    expect(state.asked).toBe(2)
  })

  test('that fails leaves the limit that was known last, for as long as it fails, and is logged once', async () => {
    const { state, logged, find } = createWorld()
    state.limit = 1
    await find()
    state.isUp = false
    for (let n = 1; n <= 3; n++) {
      state.now = n * 5_000
      expect(await find()).toBe(1)
      expect(await find('an organization that nobody asked for before')).toBeUndefined()
    }
    expect(logged).toEqual(['plans are not known, the limits that were known last hold'])
    state.isUp = true
    state.limit = undefined
    state.now = 20_000
    expect(await find()).toBeUndefined()
    expect(logged.slice(1)).toEqual(['plans are known again'])
    state.isUp = false
    state.now = 25_000
    expect(await find(), 'a limit that was lifted is forgotten').toBeUndefined()
  })
})
