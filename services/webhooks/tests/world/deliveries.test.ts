/**
 * The list of deliveries, one delivery, and replays. No attempt is made: endpoints are nowhere, and replays are due in
 * the future.
 */
import { randomUUID } from 'node:crypto'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  CountDeliveriesRequestSchema,
  ReplayDeliveriesRequestSchema,
  ReplayDeliveryRequestSchema,
} from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { UpdateEndpointRequestSchema } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { NIL, v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { readDeliveries } from '../../list-deliveries.ts'
import { COUNT_DELIVERIES, countDeliveries } from '../../rpc/count-deliveries.ts'
import { replayDeliveries } from '../../rpc/replay-deliveries.ts'
import { replayDelivery } from '../../rpc/replay-delivery.ts'
import { updateEndpoint } from '../../rpc/update-endpoint.ts'
import { type AddedDeliveries, DAY_MS, HOUR_MS, startTestWebhooks } from '../webhooks-world.ts'

async function startWithEndpoint() {
  const testing = await startTestWebhooks()
  const { deliveries, webhooks, clock } = testing
  const { key, id } = await testing.makeEndpoint()
  const since = timestampFromDate(new Date(clock.now().getTime() - HOUR_MS))
  /** Replays are due after this test. */
  const later = { ...webhooks, clock: createTestClock(new Date(clock.now().getTime() + DAY_MS)) }
  return {
    ...testing,
    key,
    since,
    later,
    add: (facts?: AddedDeliveries, endpointId = id) => testing.addDeliveries(endpointId, facts),
    async addOne(facts?: AddedDeliveries): Promise<string> {
      return (await testing.addDeliveries(id, facts))[0] ?? ''
    },
    replay: (deliveryId: string) => replayDelivery(later, create(ReplayDeliveryRequestSchema, { ...key, deliveryId })),
    replayRange: async (range: MessageInitShape<typeof ReplayDeliveriesRequestSchema> = {}) =>
      (await replayDeliveries(later, create(ReplayDeliveriesRequestSchema, { ...key, since, ...range }))).replayed,
    readStatus: async (deliveryId: string) => (await deliveries.getDelivery({ ...key, deliveryId })).delivery?.status,
    /** Ids of all pages, as they are listed. */
    async list(request: { statuses?: string[]; eventTypes?: string[]; ascending?: boolean; limit?: number } = {}) {
      const { ascending = false, limit = 100, ...filters } = request
      const ids: string[] = []
      for (let after: Uint8Array | undefined, more = true; more; ) {
        const page = { ascending, limit, ...(after && { after }) }
        const { deliveries: listed, end } = await deliveries.listDeliveries({ ...key, ...filters, page })
        ids.push(...listed.map(({ id }) => id))
        after = end?.position
        more = end?.hasMore ?? false
      }
      return ids
    },
  }
}

test('the deliveries of an endpoint are listed newest or oldest first, each once on the pages', async () => {
  proves('endpoint.GET.webhooks.id.deliveries')
  const { add, list, makeEndpoint, untilVisible } = await startWithEndpoint()
  await add({}, (await makeEndpoint()).id)
  const ids = [...(await add({ count: 5 })), ...(await add({ count: 2 }))]
  await untilVisible()
  for (const limit of [1, 3, 7, 100]) {
    expect(await list({ limit })).toEqual(ids.toReversed())
    expect(await list({ limit, ascending: true })).toEqual(ids)
  }
})

test('a page of a filtered list examines 50,000 deliveries and continues behind them', async () => {
  const { add, addOne, list, deliveries, key } = await startWithEndpoint()
  const oldest = await addOne({ status: 'failed' })
  await add({ count: 50_000, withEvent: false })
  const filter = { ...key, statuses: ['failed'], page: { limit: 100 } }
  expect(await deliveries.listDeliveries(filter)).toMatchObject({ deliveries: [], end: { hasMore: true } })
  expect(await list({ statuses: ['failed'] })).toEqual([oldest])
})

test('a list is filtered by statuses and event types, which are combined', async () => {
  proves('deliveries.filter.status', 'deliveries.filter.type')
  const { addOne, list } = await startWithEndpoint()
  const failed = await addOne({ status: 'failed', eventType: 'printer.added' })
  const missed = await addOne({ status: 'missed', eventType: 'printjob.done' })
  const succeeded = await addOne({ status: 'succeeded', eventType: 'printer.added' })
  expect(await list({ statuses: ['failed'] })).toEqual([failed])
  expect(await list({ statuses: ['failed', 'missed'] })).toEqual([missed, failed])
  expect(await list({ eventTypes: ['printer.added'] })).toEqual([succeeded, failed])
  expect(await list({ eventTypes: ['printer.added', 'printjob.done'] })).toEqual([succeeded, missed, failed])
  expect(await list({ statuses: ['missed'], eventTypes: ['printer.added'] })).toEqual([])
})

/** Deliveries of the last four hours: their ids have the time of the database. */
async function startCounting() {
  const testing = await startWithEndpoint()
  const { key, webhooks, add } = testing
  const now = new Date()
  const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const at = (hours: number, ms = 0) => new Date(hour + hours * HOUR_MS + ms)
  const own = { ...webhooks, clock: createTestClock(now) }
  return {
    ...testing,
    now,
    at,
    addAt: (createdAt: Date, facts: AddedDeliveries = {}, endpointId = key.endpointId) =>
      add({ ...facts, createdAt, nextAttemptAt: at(24) }, endpointId),
    /** The starts as numbers. */
    async count(since: Date, { interval = 'hour', examinedMax = 100, facts = {} } = {}) {
      const request = create(CountDeliveriesRequestSchema, { ...key, interval, since: timestampFromDate(since) })
      const { entries, completeSince } = await countDeliveries({ ...own, ...facts }, request, examinedMax)
      return {
        entries: entries.map(({ start, pending, succeeded, failed, missed }) => ({
          ...{ start: timestampDate(start), pending, succeeded, failed, missed },
        })),
        completeSince: timestampDate(completeSince),
      }
    },
  }
}

test('deliveries are counted by the hour or day of their creation and by their status, those of one endpoint', async () => {
  const { addAt, at, count, makeEndpoint, stranger, query, key } = await startCounting()
  const none = { pending: 0, succeeded: 0, failed: 0, missed: 0 }
  const since = at(-2)
  await addAt(at(-2, -1))
  await addAt(at(-2), { count: 2 })
  await addAt(at(-1, -1), { status: 'failed' })
  await addAt(at(0, -1), { status: 'missed', eventType: 'printer.added' })
  await addAt(at(0), { status: 'pending', count: 3 })
  for (const other of [await makeEndpoint(), await makeEndpoint({}, stranger)]) await addAt(at(0), {}, other.id)
  expect(await count(since)).toEqual({
    entries: [
      { ...none, start: at(-2), succeeded: 2, failed: 1 },
      { ...none, start: at(-1), missed: 1 },
      { ...none, start: at(0), pending: 3 },
    ],
    completeSince: since,
  })
  const recount = await query(
    `SELECT date_trunc('day', created_at, 'UTC') AS start, count(*) FILTER (WHERE status = 'pending')::int AS pending,
       count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
       count(*) FILTER (WHERE status = 'failed')::int AS failed,
       count(*) FILTER (WHERE status = 'missed')::int AS missed
     FROM webhooks.delivery WHERE endpoint_id = $1 AND created_at >= $2 GROUP BY start ORDER BY start`,
    [key.endpointId, since],
  )
  expect((await count(since, { interval: 'day' })).entries).toEqual(recount)
  await expect(count(since, { interval: 'month' })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('the statements that count and list find an endpoint by its id, organization and mode', async () => {
  const { addAt, at, makeEndpoint, key, live, stranger, query, webhooks } = await startCounting()
  await addAt(at(0))
  for (const other of [live, stranger]) await makeEndpoint({}, other)
  const count = async ({ endpointId, organizationId, mode }: typeof key) =>
    await query(COUNT_DELIVERIES, [endpointId, organizationId, mode, NIL, at(-1), '1 hour', 100])
  const filters = { statuses: [], eventTypes: [] }
  const list = async (of: typeof key) =>
    (await readDeliveries(webhooks, of, filters, { after: undefined, ascending: false, rows: 2 })).rows
  expect(await count(key)).toMatchObject([{ succeeded: 1 }])
  expect(await list(key)).toHaveLength(1)
  for (const other of [live, stranger]) {
    expect(await count({ ...key, ...other })).toEqual([])
    expect(await list({ ...key, ...other })).toEqual([])
  }
})

test('a count ends at its bound or the retention time, and has the time since when it is complete', async () => {
  proves('account.webhooks.figures.complete')
  const { addAt, at, count, now } = await startCounting()
  const since = at(-3)
  await addAt(at(-2, 5))
  await addAt(at(-1, 5))
  await addAt(at(0))
  const count3 = await count(since, { examinedMax: 4 })
  expect(count3).toMatchObject({ entries: [{}, {}, {}], completeSince: since })
  expect(await count(since, { examinedMax: 3 })).toEqual({ ...count3, completeSince: at(-2, 5) })
  expect(await count(since, { examinedMax: 2 })).toEqual({
    entries: count3.entries.slice(1),
    completeSince: at(-1, 5),
  })
  const keptSince = new Date(now.getTime() - 1)
  expect((await count(since, { facts: { eventRetentionMs: 1 } })).completeSince).toEqual(keptSince)
})

test('a delivery is read with its payload and its attempts, oldest first', async () => {
  const { addOne, key, deliveries, query } = await startWithEndpoint()
  const deliveryId = await addOne({ status: 'failed', eventType: 'printer.added' })
  await query(
    `INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms, status_code, error_class, response)
     VALUES ($1, 2, 'replay', '2026-01-02T03:04:05.678Z', 12, 503, 'status', 'busy'),
            ($1, 1, 'scheduled', '2026-01-02T03:04:00Z', 15000, NULL, 'timeout', NULL),
            ($2, 3, 'scheduled', '2026-01-02T03:04:00Z', 1, NULL, 'dns', NULL)`,
    [deliveryId, await addOne()],
  )
  const { delivery, payload, attempts } = await deliveries.getDelivery({ ...key, deliveryId })
  expect(delivery).toMatchObject({ id: deliveryId, endpointId: key.endpointId, status: 'failed', attempts: 1 })
  expect(JSON.parse(payload ?? '')).toEqual({ id: delivery?.eventId, type: 'printer.added' })
  const at = (time: string) => timestampFromDate(new Date(time))
  const scheduled = { at: at('2026-01-02T03:04:00Z'), number: 1, trigger: 'scheduled', durationMs: 15000 }
  const replay = { at: at('2026-01-02T03:04:05.678Z'), number: 2, trigger: 'replay', durationMs: 12, statusCode: 503 }
  expect(attempts).toMatchObject([
    { ...scheduled, errorClass: 'timeout' },
    { ...replay, errorClass: 'status', response: 'busy' },
  ])
  expect(attempts[0]).not.toHaveProperty('statusCode')
})

test('the latest 100 attempts of a delivery are shown; the payload of a test is its example, and that of a deleted event is absent', async () => {
  const { addOne, key, deliveries, query } = await startWithEndpoint()
  const [example, deleted] = [await addOne({ example: '{"id":"x"}' }), await addOne({ withEvent: false })]
  await query(
    `INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms)
     SELECT $1, n, 'replay', now(), 1 FROM generate_series(1, 101) AS n`,
    [example],
  )
  const { attempts, payload } = await deliveries.getDelivery({ ...key, deliveryId: example })
  expect(attempts.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, n) => n + 2))
  expect(payload).toBe('{"id":"x"}')
  expect((await deliveries.getDelivery({ ...key, deliveryId: deleted })).payload).toBeUndefined()
})

test('no call finds deliveries of another endpoint, organization or mode, and none of them is replayed', async () => {
  const { addOne, key, live, stranger, since, deliveries, makeEndpoint, readStatus } = await startWithEndpoint()
  const deliveryId = await addOne({ status: 'failed' })
  const notFound = { code: 'not_found' }
  const sibling = (await makeEndpoint()).key
  const strangers = [
    { ...key, endpointId: randomUUID() },
    { ...key, ...stranger },
    { ...key, ...live },
  ]
  for (const other of [sibling, (await makeEndpoint({}, stranger)).key, ...strangers]) {
    await expect(deliveries.getDelivery({ ...other, deliveryId })).rejects.toMatchObject(notFound)
    await expect(deliveries.replayDelivery({ ...other, deliveryId })).rejects.toMatchObject(notFound)
  }
  for (const other of strangers) {
    await expect(deliveries.listDeliveries(other)).rejects.toMatchObject(notFound)
    await expect(deliveries.replayDeliveries({ ...other, since })).rejects.toMatchObject(notFound)
    await expect(deliveries.countDeliveries({ ...other, since, interval: 'day' })).rejects.toMatchObject(notFound)
  }
  expect(await deliveries.replayDeliveries({ ...sibling, since })).toMatchObject({ replayed: 0 })
  expect(await readStatus(deliveryId)).toBe('failed')
})

test('the deliveries of a resource are those of events and endpoints of its organization and mode', async () => {
  const { add, addOne, key, deliveries, tenant, live, stranger, makeEndpoint, query } = await startWithEndpoint()
  const resourceId = uuidv7()
  const body = `{"id":"x","data":{"id":"${resourceId}"}}`
  const own = await addOne({ body })
  await addOne({ body: body.replace(resourceId, uuidv7()) })
  const move = (deliveryId: string | undefined, endpointId: string) =>
    query('UPDATE webhooks.delivery SET endpoint_id = $2 WHERE id = $1', [deliveryId, endpointId])
  for (const other of [live, stranger]) {
    const { id } = await makeEndpoint({}, other)
    const [, theirEvent] = await add({ body, count: 2 }, id)
    // No code writes deliveries of an event to an endpoint of others.
    await move(theirEvent, key.endpointId)
    await move(await addOne({ body }), id)
  }
  const { deliveries: listed } = await deliveries.listResourceDeliveries({ ...tenant, resourceId, page: { limit: 10 } })
  expect(listed.map(({ id }) => id)).toEqual([own])
})

test('a delivery of an event of a job has the job, and one of another event none', async () => {
  const { addOne, deliveries, key } = await startWithEndpoint()
  const data = { id: uuidv7(), title: 'Invoice', printerId: uuidv7() }
  const body = JSON.stringify({ id: 'x', data })
  const jobs = await addOne({ eventType: 'printjob.done', body })
  await addOne({ eventType: 'printer.added', body })
  const listed = (await deliveries.listDeliveries({ ...key, page: { limit: 10 } })).deliveries
  expect(listed.map(({ job }) => job)).toMatchObject([undefined, data])
  expect((await deliveries.getDelivery({ ...key, deliveryId: jobs })).delivery?.job).toMatchObject(data)
})

test.each(['succeeded', 'failed', 'missed'] as const)(
  'a replayed %s delivery is pending, due at once, with its whole schedule',
  async (status) => {
    proves('replay.pending')
    const { addOne, replay, later, query } = await startWithEndpoint()
    const deliveryId = await addOne({ status })
    await query('UPDATE webhooks.delivery SET retries = 8 WHERE id = $1', [deliveryId])
    const { delivery } = await replay(deliveryId)
    expect(delivery).toMatchObject({ id: deliveryId, status: 'pending' })
    expect(delivery?.nextAttemptAt && timestampDate(delivery.nextAttemptAt)).toEqual(later.clock.now())
    expect(delivery?.deliveredAt).toBeUndefined()
    const [row] = await query('SELECT trigger, retries, due_at FROM webhooks.delivery WHERE id = $1', [deliveryId])
    expect(row).toEqual({ trigger: 'replay', retries: 0, due_at: later.clock.now() })
  },
)

test('a replay of a pending delivery makes it due; it does not change one that is due already', async () => {
  const { addOne, replay, later, query } = await startWithEndpoint()
  const now = later.clock.now()
  const inAnHour = new Date(now.getTime() + HOUR_MS)
  const { delivery } = await replay(await addOne({ status: 'pending', nextAttemptAt: inAnHour }))
  expect(delivery?.nextAttemptAt && timestampDate(delivery.nextAttemptAt)).toEqual(now)
  const due = await addOne({ status: 'pending', nextAttemptAt: now, leasedUntil: inAnHour })
  expect((await replay(due)).delivery?.status).toBe('pending')
  const [row] = await query('SELECT trigger, due_at FROM webhooks.delivery WHERE id = $1', [due])
  expect(row).toEqual({ trigger: 'scheduled', due_at: inAnHour })
})

test('a disabled endpoint replays neither a delivery nor a range', async () => {
  proves('replay.disabled', 'replay.range.disabled', 'error.409.endpoint_disabled')
  const { addOne, key, since, deliveries, endpoints, readStatus } = await startWithEndpoint()
  const deliveryId = await addOne({ status: 'missed' })
  await endpoints.updateEndpoint({ ...key, enabled: false })
  const disabled = { code: 'endpoint_disabled' }
  await expect(deliveries.replayDelivery({ ...key, deliveryId })).rejects.toMatchObject(disabled)
  await expect(deliveries.replayDeliveries({ ...key, since })).rejects.toMatchObject(disabled)
  expect(await readStatus(deliveryId)).toBe('missed')
})

test('a delivery whose event is no longer kept is not replayed, alone or in a range', async () => {
  const { addOne, key, deliveries, replayRange, readStatus } = await startWithEndpoint()
  const deliveryId = await addOne({ status: 'failed', withEvent: false })
  await addOne({ status: 'failed' })
  await expect(deliveries.replayDelivery({ ...key, deliveryId })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('no longer kept'),
  })
  expect(await replayRange()).toBe(1)
  expect(await readStatus(deliveryId)).toBe('failed')
})

test('a test delivery, which has no event, is replayed with its example', async () => {
  const { addOne, replay } = await startWithEndpoint()
  const { delivery } = await replay(await addOne({ status: 'failed', example: '{"id":"x"}' }))
  expect(delivery?.status).toBe('pending')
})

test('a replay during a change of the endpoint or of the delivery is decided by that change', async () => {
  const { addOne, replay, replayRange, hold, world, query, key, readStatus } = await startWithEndpoint()
  const deliveryId = await addOne({ status: 'failed' })
  const endAttempt = await hold(`UPDATE webhooks.delivery SET status = 'succeeded' WHERE id = $1`, [deliveryId])
  const range = replayRange()
  await untilBlocked(world.pool)
  await endAttempt()
  expect(await range).toBe(0)
  expect(await readStatus(deliveryId)).toBe('succeeded')
  for (const call of [() => replay(deliveryId), () => replayRange({ statuses: ['succeeded'] })]) {
    const disable = await hold('UPDATE webhooks.endpoint SET enabled = false WHERE id = $1', [key.endpointId])
    const replayed = expect(call()).rejects.toMatchObject({ code: 'endpoint_disabled' })
    await untilBlocked(world.pool)
    await disable()
    await replayed
    expect(await readStatus(deliveryId)).toBe('succeeded')
    await query('UPDATE webhooks.endpoint SET enabled = true WHERE id = $1', [key.endpointId])
  }
})

test('a range contains `since`, ends before `until`, and by default has failed and missed deliveries', async () => {
  proves('replay.range.since', 'replay.range.until', 'replay.range.status')
  const { addOne, clock, list, replayRange, readStatus } = await startWithEndpoint()
  const day = (n: number) => new Date(clock.now().getTime() + (n - 10) * DAY_MS)
  const before = await addOne({ status: 'failed', createdAt: day(1) })
  const first = await addOne({ status: 'failed', createdAt: day(2) })
  const second = await addOne({ status: 'missed', createdAt: day(3) })
  await addOne({ status: 'succeeded', createdAt: day(3) })
  await addOne({ status: 'failed', createdAt: day(4) })
  const range = { since: timestampFromDate(day(2)), until: timestampFromDate(day(4)) }
  expect(await replayRange(range)).toBe(2)
  expect(await list({ statuses: ['pending'] })).toEqual([second, first])
  expect(await replayRange({ ...range, statuses: ['succeeded'] })).toBe(1)
  expect(await replayRange({ since: range.until })).toBe(1)
  expect(await readStatus(before)).toBe('failed')
})

test('a replay lists the times of its range without deliveries, after the first 5 days of each pause by a user', async () => {
  proves('replay.range.gaps')
  const { key, webhooks, later, clock, query, makeEndpoint } = await startWithEndpoint()
  const [enabled, disabled] = [await makeEndpoint(), await makeEndpoint()]
  const startedAt = clock.now().getTime()
  const day = (n: number) => new Date(startedAt + n * DAY_MS)
  const setEnabled = async (n: number, enabled: boolean, of = key) =>
    await updateEndpoint(
      { ...webhooks, clock: createTestClock(day(n)) },
      create(UpdateEndpointRequestSchema, { ...of, enabled }),
    )
  const findGaps = async (since: number, until?: number, of = key) => {
    const range = { since: timestampFromDate(day(since)), ...(until && { until: timestampFromDate(day(until)) }) }
    const { gaps } = await replayDeliveries(
      { ...later, clock: createTestClock(day(40)) },
      create(ReplayDeliveriesRequestSchema, { ...of, ...range }),
    )
    return gaps.map((gap) => [gap.since, gap.until].map((time) => (timestampDate(time).getTime() - startedAt) / DAY_MS))
  }
  await setEnabled(0, false, disabled.key)
  const pauses = [
    [0, 5],
    [10, 16],
    [20, 30],
  ] as const
  for (const [from, to] of pauses) {
    await setEnabled(from, false)
    await setEnabled(to, true)
  }
  expect(await findGaps(0)).toEqual([
    [15, 16],
    [25, 30],
  ])
  expect(await findGaps(26, 28)).toEqual([[26, 28]])
  expect(await findGaps(0, undefined, enabled.key)).toEqual([])
  expect(await query('SELECT gaps FROM webhooks.endpoint WHERE id = $1', [disabled.id])).toEqual([{ gaps: '{}' }])
  expect([await findGaps(16, 25), await findGaps(30), await findGaps(50)]).toEqual([[], [], []])
  // Disabled by a release without `disabled_at`. Events are kept for 30 days.
  await query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'user' WHERE id = $1`, [key.endpointId])
  await setEnabled(50, true)
  expect(await findGaps(0, 60)).toEqual([[20, 50]])
  await query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'failures' WHERE id = $1`, [
    key.endpointId,
  ])
  await setEnabled(60, true)
  expect(await findGaps(0, 60)).toEqual([[20, 50]])
})

test('a range of more than two batches is replayed, each delivery once, the oldest due first', async () => {
  proves('endpoint.POST.webhooks.id.replay')
  const { add, key, query, replayRange } = await startWithEndpoint()
  const ids = [...(await add({ count: 1_000, status: 'missed' })), ...(await add({ count: 1_001, status: 'failed' }))]
  expect(await replayRange()).toBe(ids.length)
  const due = await query<{ id: string }>(
    `SELECT id FROM webhooks.delivery
     WHERE endpoint_id = $1 AND status = 'pending' AND trigger = 'replay' ORDER BY due_at`,
    [key.endpointId],
  )
  expect(due.map(({ id }) => id)).toEqual(ids)
  expect(await replayRange()).toBe(0)
})
