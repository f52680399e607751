import { randomUUID } from 'node:crypto'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { listQuery } from '../list-deliveries.ts'
import { type AddedDeliveries, addDeliveries } from './add-deliveries.ts'
import { startTestWebhooks } from './start-test-webhooks.ts'

const URL = 'http://127.0.0.1:9/hook'

async function startWithEndpoint() {
  const world = await startTestWebhooks()
  const tenant = { organizationId: randomUUID(), mode: 'test' }
  async function createEndpoint(of = tenant) {
    const { endpoint } = await world.endpoints.createEndpoint({ ...of, url: URL, events: ['printjob.done'] })
    return { ...of, endpointId: endpoint?.id ?? '' }
  }
  const key = await createEndpoint()
  return {
    ...world,
    tenant,
    key,
    createEndpoint,
    add: (facts?: AddedDeliveries, { endpointId } = key) => addDeliveries(world, endpointId, facts),
    /** Ids of all pages, as they are listed. */
    async list(asked: { statuses?: string[]; eventTypes?: string[]; ascending?: boolean; limit?: number } = {}) {
      const { ascending = false, limit = 100, ...filters } = asked
      const ids: string[] = []
      for (let after: Uint8Array | undefined, more = true; more; ) {
        const page = { ascending, limit, ...(after && { after }) }
        const { deliveries, end } = await world.deliveries.listDeliveries({ ...key, ...filters, page })
        ids.push(...deliveries.map(({ id }) => id))
        after = end?.place
        more = end?.hasMore ?? false
      }
      return ids
    },
  }
}

const day = (n: number) => new Date(Date.UTC(2026, 0, n))

test('an endpoint lists its deliveries, newest first, and page by page each once', async () => {
  const { add, list, createEndpoint, untilSettled } = await startWithEndpoint()
  await add({}, await createEndpoint())
  const ids = [...(await add({ count: 5 })), ...(await add({ count: 2 }))]
  await untilSettled()
  for (const limit of [1, 3, 7, 100]) {
    expect(await list({ limit })).toEqual(ids.toReversed())
    expect(await list({ limit, ascending: true })).toEqual(ids)
  }
})

test('a list is narrowed to statuses and to event types, which hold together', async () => {
  const { add, list } = await startWithEndpoint()
  const [failed] = await add({ status: 'failed', eventType: 'printer.added' })
  const [missed] = await add({ status: 'missed', eventType: 'printjob.done' })
  const [succeeded] = await add({ status: 'succeeded', eventType: 'printer.added' })
  expect(await list({ statuses: ['failed'] })).toEqual([failed])
  expect(await list({ statuses: ['failed', 'missed'] })).toEqual([missed, failed])
  expect(await list({ eventTypes: ['printer.added'] })).toEqual([succeeded, failed])
  expect(await list({ eventTypes: ['printer.added', 'printjob.done'] })).toEqual([succeeded, missed, failed])
  expect(await list({ statuses: ['missed'], eventTypes: ['printer.added'] })).toEqual([])
})

test('a page is read by the index that has the filters, whatever the number of days', async () => {
  const { query, key, tenant } = await startWithEndpoint()
  for (let n = 1; n <= 32; n++)
    await query(`CREATE TABLE webhooks.delivery_day_${n} PARTITION OF webhooks.delivery
      FOR VALUES FROM ('${n.toString(16).padStart(8, '0')}-0000-0000-0000-000000000000')
      TO ('${(n + 1).toString(16).padStart(8, '0')}-0000-0000-0000-000000000000')`)
  const filters = { statuses: ['failed'], eventTypes: ['printer.added'] }
  const page = { after: { place: 7n, id: key.endpointId }, ascending: false, rows: 26 }
  const { sql, values } = listQuery({ ...tenant, ...key }, filters, page, 'delivery.id')
  const bound = sql.replaceAll(/\$(\d+)/g, (_, n) => {
    const value = values[Number(n) - 1]
    return Array.isArray(value) ? `'{${value.join()}}'` : `'${value}'`
  })
  await query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off')
  const plan = (await query(`EXPLAIN ${bound}`)).map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('Merge Append')
  expect(plan.match(/Index Only Scan Backward using delivery_(day_\d+|other)_endpoint_id/g)).toHaveLength(33)
  expect(plan).not.toContain('Seq Scan')
})

test('a delivery is read with its payload and its attempts, oldest first', async () => {
  const { add, key, deliveries, query } = await startWithEndpoint()
  const [deliveryId = ''] = await add({ status: 'failed', eventType: 'printer.added' })
  await query(
    `INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms, status_code, error_class, response)
     VALUES ($1, 2, 'replay', '2026-01-02T03:04:05.678Z', 12, 503, 'status', 'busy'),
            ($1, 1, 'scheduled', '2026-01-02T03:04:00Z', 15000, NULL, 'timeout', NULL)`,
    [deliveryId],
  )
  const { delivery, payload, attempts } = await deliveries.getDelivery({ ...key, deliveryId })
  expect(delivery).toMatchObject({ id: deliveryId, endpointId: key.endpointId, status: 'failed', attempts: 1 })
  expect(JSON.parse(payload ?? '')).toEqual({ id: delivery?.eventId, type: 'printer.added' })
  expect(attempts.map(({ at, ...attempt }) => [at && timestampDate(at).toISOString(), attempt])).toMatchObject([
    ['2026-01-02T03:04:00.000Z', { number: 1, trigger: 'scheduled', durationMs: 15000, errorClass: 'timeout' }],
    [
      '2026-01-02T03:04:05.678Z',
      { number: 2, trigger: 'replay', durationMs: 12, statusCode: 503, errorClass: 'status', response: 'busy' },
    ],
  ])
  expect(attempts[0]).not.toHaveProperty('statusCode')
})

test('of a delivery with more than 100 attempts the latest 100 are shown', async () => {
  const { add, key, deliveries, query } = await startWithEndpoint()
  const [deliveryId = ''] = await add()
  await query(
    `INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms)
     SELECT $1, n, 'replay', now(), 1 FROM generate_series(1, 101) AS n`,
    [deliveryId],
  )
  const { attempts } = await deliveries.getDelivery({ ...key, deliveryId })
  expect(attempts.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, n) => n + 2))
})

test('the payload of a test is its example; of an event that is gone there is none', async () => {
  const { add, key, deliveries } = await startWithEndpoint()
  const [example = ''] = await add({ example: '{"id":"x"}' })
  const [gone = ''] = await add({ withEvent: false })
  expect((await deliveries.getDelivery({ ...key, deliveryId: example })).payload).toBe('{"id":"x"}')
  expect((await deliveries.getDelivery({ ...key, deliveryId: gone })).payload).toBeUndefined()
})

test('deliveries of another endpoint, organization or mode are nobody’s, and none of them is replayed', async () => {
  const { add, key, tenant, deliveries, createEndpoint } = await startWithEndpoint()
  const other = await createEndpoint()
  const [deliveryId = ''] = await add({ status: 'failed' })
  const strangers = [
    other,
    { ...key, endpointId: randomUUID() },
    { ...key, organizationId: randomUUID() },
    { ...key, mode: 'live' },
    { ...(await createEndpoint({ ...tenant, mode: 'test' })) },
  ]
  const nobodys = { code: 'not_found' }
  for (const stranger of strangers) {
    await expect(deliveries.getDelivery({ ...stranger, deliveryId })).rejects.toMatchObject(nobodys)
    await expect(deliveries.replayDelivery({ ...stranger, deliveryId })).rejects.toMatchObject(nobodys)
  }
  const since = timestampFromDate(day(1))
  for (const stranger of strangers.slice(1, 4)) {
    await expect(deliveries.listDeliveries(stranger)).rejects.toMatchObject(nobodys)
    await expect(deliveries.replayDeliveries({ ...stranger, since })).rejects.toMatchObject(nobodys)
  }
  expect(await deliveries.replayDeliveries({ ...other, since })).toMatchObject({ replayed: 0 })
  expect((await deliveries.getDelivery({ ...key, deliveryId })).delivery?.status).toBe('failed')
})

test.each(['succeeded', 'failed', 'missed'] as const)(
  'a replay makes a %s delivery pending, due at once, with its schedule to come',
  async (status) => {
    const { add, key, deliveries, clock, query } = await startWithEndpoint()
    const [deliveryId = ''] = await add({ status })
    await query('UPDATE webhooks.delivery SET retries = 8 WHERE id = $1', [deliveryId])
    clock.advanceSeconds(60)
    const { delivery } = await deliveries.replayDelivery({ ...key, deliveryId })
    expect(delivery).toMatchObject({ id: deliveryId, status: 'pending' })
    expect(delivery?.nextAttemptAt && timestampDate(delivery.nextAttemptAt)).toEqual(clock.now())
    expect(delivery).not.toHaveProperty('deliveredAt')
    const [row] = await query('SELECT trigger, due_at FROM webhooks.delivery WHERE id = $1', [deliveryId])
    expect(row).toMatchObject({ trigger: 'replay' })
  },
)

test('a replay of a pending delivery that waits makes it due; of one that is due it changes nothing', async () => {
  const { add, key, deliveries, clock, query } = await startWithEndpoint()
  const inAnHour = new Date(clock.now().getTime() + 3_600_000)
  const [waiting = ''] = await add({ status: 'pending', nextAttemptAt: inAnHour })
  const { delivery } = await deliveries.replayDelivery({ ...key, deliveryId: waiting })
  expect(delivery?.nextAttemptAt && timestampDate(delivery.nextAttemptAt)).toEqual(clock.now())

  const [due = ''] = await add({ status: 'pending', leasedUntil: inAnHour })
  expect((await deliveries.replayDelivery({ ...key, deliveryId: due })).delivery?.status).toBe('pending')
  const [row] = await query('SELECT trigger, due_at FROM webhooks.delivery WHERE id = $1', [due])
  expect(row).toEqual({ trigger: 'scheduled', due_at: inAnHour })
})

test('a disabled endpoint replays neither one delivery nor a range', async () => {
  const { add, key, deliveries, query } = await startWithEndpoint()
  const [deliveryId = ''] = await add({ status: 'missed' })
  await query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'user' WHERE id = $1`, [key.endpointId])
  const disabled = { code: 'endpoint_disabled' }
  await expect(deliveries.replayDelivery({ ...key, deliveryId })).rejects.toMatchObject(disabled)
  await expect(deliveries.replayDeliveries({ ...key, since: timestampFromDate(day(1)) })).rejects.toMatchObject(
    disabled,
  )
  expect((await deliveries.getDelivery({ ...key, deliveryId })).delivery?.status).toBe('missed')
})

test('a delivery whose event is no longer kept is not replayed, and a range leaves it out', async () => {
  const { add, key, deliveries } = await startWithEndpoint()
  const [deliveryId = ''] = await add({ status: 'failed', withEvent: false })
  await add({ status: 'failed' })
  await expect(deliveries.replayDelivery({ ...key, deliveryId })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('no longer kept'),
  })
  expect(await deliveries.replayDeliveries({ ...key, since: timestampFromDate(day(1)) })).toMatchObject({ replayed: 1 })
  expect((await deliveries.getDelivery({ ...key, deliveryId })).delivery?.status).toBe('failed')
})

test('a range begins with `since`, ends before `until`, and has by default what failed or was missed', async () => {
  const { add, key, deliveries, list } = await startWithEndpoint()
  const made = async (status: AddedDeliveries['status'], n: number) =>
    (await add({ status: status ?? 'failed', createdAt: day(n), nextAttemptAt: day(400) }))[0] ?? ''
  const before = await made('failed', 1)
  const first = await made('failed', 2)
  const second = await made('missed', 3)
  await made('succeeded', 3)
  await made('failed', 4)
  const range = { ...key, since: timestampFromDate(day(2)), until: timestampFromDate(day(4)) }
  const touched = async () => {
    const found = await Promise.all((await list()).map((deliveryId) => deliveries.getDelivery({ ...key, deliveryId })))
    return found.flatMap(({ delivery }) => (delivery?.status === 'pending' ? [delivery.id] : [])).toSorted()
  }
  expect(await deliveries.replayDeliveries(range)).toMatchObject({ replayed: 2 })
  expect(await touched()).toEqual([first, second].toSorted())
  expect(await deliveries.replayDeliveries({ ...range, statuses: ['succeeded'] })).toMatchObject({ replayed: 1 })
  expect(await deliveries.replayDeliveries({ ...key, since: range.until })).toMatchObject({ replayed: 1 })
  expect((await deliveries.getDelivery({ ...key, deliveryId: before })).delivery?.status).toBe('failed')
})

test('a range of thousands is replayed whole, each delivery once, the oldest due first', async () => {
  const { add, key, deliveries, query } = await startWithEndpoint()
  const ids = [...(await add({ count: 1_500, status: 'missed' })), ...(await add({ count: 2_001, status: 'failed' }))]
  // Held back, so that nothing is sent meanwhile.
  const hold = `CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.due_at := NEW.due_at + interval '1 day'; RETURN NEW; END $$`
  await query(hold)
  await query('CREATE TRIGGER hold BEFORE UPDATE ON webhooks.delivery FOR EACH ROW EXECUTE FUNCTION hold()')
  const range = { ...key, since: timestampFromDate(day(1)) }
  expect(await deliveries.replayDeliveries(range, { timeoutMs: 20_000 })).toMatchObject({ replayed: ids.length })
  const due = await query<{ id: string }>(
    `SELECT id FROM webhooks.delivery WHERE status = 'pending' AND trigger = 'replay' ORDER BY due_at`,
  )
  expect(due.map(({ id }) => id)).toEqual(ids)
  expect(await deliveries.replayDeliveries(range)).toMatchObject({ replayed: 0 })
})
