/** Events, their deliveries, and the feed. Concurrent writers and waiting calls: `edge/feed.server.test.ts`. */
import { create, type MessageInitShape, toJsonString } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { DeviceChangedSchema, type JobChanged, JobChangedSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { deviceEventSubject, jobSubject } from '@platen/proto/subjects.ts'
import { EVENT_SCHEMAS } from '@platen/resources/event-schema.ts'
import { EVENT_TYPES, type EventType } from '@platen/resources/event-types.ts'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { jobChanged } from '@platen/test/harness/job-changed.ts'
import { realWait } from '@platen/test/harness/real-time.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { recordEvents } from '../../events/record-events.ts'
import { DAY_MS, newEvent, startTestWebhooks, type Tenant } from '../webhooks-world.ts'

/** For calls that wait longer than the usual deadline of a call. */
const PATIENT = { timeoutMs: 40_000 }

interface Asked {
  types?: EventType[]
  ascending?: boolean
  after?: Uint8Array | undefined
  limit?: number
  waitMs?: number
}

async function startFeed() {
  const testing = await startTestWebhooks()
  const { webhooks, tenant, query, world, events, untilSettled } = testing
  const readEvents = async ({ organizationId, mode }: Tenant = tenant) =>
    await query('SELECT * FROM webhooks.event WHERE organization_id = $1 AND mode = $2 ORDER BY id', [
      organizationId,
      mode,
    ])
  const publish = (subject: string, msgID: string, event: string) =>
    world.nats.jetstream.publish(subject, event, { msgID })
  return {
    ...testing,
    readEvents,
    waitForEvents: (count: number, of = tenant) =>
      waitFor(async () => {
        const rows = await readEvents(of)
        expect(rows).toHaveLength(count)
        return rows.map(({ body }) => JSON.parse(body))
      }),
    /** As the jobs service does it. */
    publishJob: (event: JobChanged) =>
      publish(jobSubject(event.mode, event.state), event.eventId, toJsonString(JobChangedSchema, event)),
    /** As the devices service does it. */
    async publishDevice(facts: MessageInitShape<typeof DeviceChangedSchema>) {
      const event = create(DeviceChangedSchema, facts)
      await publish(deviceEventSubject(event.mode, event.type), event.eventId, toJsonString(DeviceChangedSchema, event))
    },
    /** Records events and waits until lists show them. */
    async record(types: EventType[], of = tenant): Promise<string[]> {
      const recorded = types.map((type) => newEvent(of, type))
      for (const event of recorded) await recordEvents(webhooks, [event])
      await untilSettled()
      return recorded.map(({ id }) => id)
    },
    async list({ ascending = true, after, limit = 100, ...rest }: Asked = {}) {
      const page = { ascending, limit, ...(after && { after }) }
      const { events: bodies, end } = await events.listEvents({ ...tenant, ...rest, page }, PATIENT)
      return { ids: bodies.map((body): string => JSON.parse(body).id), bodies, end }
    },
  }
}

test('a change of a job becomes an event with the id of the job event and the job at that moment [give-back.webhook payload.id payload.id.job-event payload.type payload.timestamp payload.mode payload.sequence payload.data]', async () => {
  const { tenant, publishJob, waitForEvents } = await startFeed()
  // The second one is a job that is given back.
  const changes = [
    jobChanged(tenant, { state: 'done', sequence: 5 }),
    jobChanged(tenant, { state: 'queued', sequence: 6 }),
  ]
  for (const change of changes) await publishJob(change)
  const events = await waitForEvents(2)
  const facts = { timestamp: '2026-01-02T03:04:05.678Z', mode: tenant.mode }
  expect(events).toEqual(
    changes.map(({ eventId: id, state, sequence, job }) => ({
      ...{ id, type: `printjob.${state}`, sequence, ...facts, data: job && printJobToJson(job) },
    })),
  )
  for (const event of events) expect(EVENT_SCHEMAS.get(event.type)?.parse(event)).toEqual(event)
})

test('changes of computers and printers become events, those of printers without capabilities [payload.id payload.type payload.mode payload.sequence payload.data]', async () => {
  const { live, publishDevice, waitForEvents } = await startFeed()
  const at = timestampFromDate(new Date('2026-01-02T03:04:05.678Z'))
  const common = { id: uuidv7(), ...live, state: 'online', createdAt: at }
  const computer = { ...common, name: 'Office', lastSeenAt: at }
  const printer = { ...common, computerId: uuidv7(), capabilities: { copies: 9 }, updatedAt: at }
  const facts = { ...live, occurredAt: at, sequence: 3 }
  const ids = [uuidv7(), uuidv7()]
  await publishDevice({
    ...facts,
    eventId: ids[0],
    type: 'computer.online',
    resource: { case: 'computer', value: computer },
  })
  await publishDevice({
    ...facts,
    eventId: ids[1],
    type: 'printer.updated',
    resource: { case: 'printer', value: printer },
  })
  const events = await waitForEvents(2, live)
  for (const event of events) expect(EVENT_SCHEMAS.get(event.type)?.parse(event)).toEqual(event)
  expect(events).toMatchObject([
    { id: ids[0], type: 'computer.online', mode: 'live', sequence: 3, data: { name: 'Office', state: 'online' } },
    { id: ids[1], type: 'printer.updated', mode: 'live', sequence: 3, data: { state: 'online' } },
  ])
  expect(events[1]?.data).not.toHaveProperty('capabilities')
})

test('an endpoint gets the subscribed events of its organization and mode, and no others; a disabled one gets missed deliveries [delivery.subscribed delivery.not-subscribed delivery.own-mode missed.new]', async () => {
  const { webhooks, endpoints, makeEndpoint, tenant, live, stranger, query, clock } = await startFeed()
  let due = 0
  const record = (...recorded: ReturnType<typeof newEvent>[]) =>
    recordEvents({ ...webhooks, deliveriesAdded: () => void due++ }, recorded)
  await record(newEvent(tenant))
  expect(due).toBe(0)
  const [all, ends, disabled] = [
    await makeEndpoint({ events: [...EVENT_TYPES] }),
    await makeEndpoint({ events: ['printjob.done', 'printjob.error'] }),
    await makeEndpoint(),
  ]
  const others = [
    await makeEndpoint({ events: ['printer.added'] }),
    await makeEndpoint({ events: [...EVENT_TYPES] }, live),
    await makeEndpoint({ events: [...EVENT_TYPES] }, stranger),
  ]
  await endpoints.updateEndpoint({ ...disabled.key, enabled: false })
  const [done, queued] = [newEvent(tenant, 'printjob.done'), newEvent(tenant, 'printjob.queued')]
  await record(done, queued)
  expect(due).toBe(1)
  const deliveries = await query(
    `SELECT endpoint_id, event_id, event_type, trigger, status <> 'missed' AS was_due, created_at FROM webhooks.delivery
     WHERE endpoint_id = ANY($1)`,
    [[all, ends, disabled, ...others].map(({ id }) => id)],
  )
  const facts = { trigger: 'scheduled', created_at: clock.now() }
  const ofDone = { event_id: done.id, event_type: 'printjob.done', ...facts }
  const expected = [
    { endpoint_id: all.id, ...ofDone, was_due: true },
    { endpoint_id: ends.id, ...ofDone, was_due: true },
    { endpoint_id: disabled.id, ...ofDone, was_due: false },
    { endpoint_id: all.id, event_id: queued.id, event_type: 'printjob.queued', ...facts, was_due: true },
  ]
  expect(deliveries).toHaveLength(expected.length)
  expect(deliveries).toEqual(expect.arrayContaining(expected))
  const sql = 'SELECT next_attempt_at, due_at FROM webhooks.delivery WHERE endpoint_id = $1'
  expect(await query(sql, [disabled.id])).toEqual([{ next_attempt_at: null, due_at: null }])
})

test('an event that comes again, in any batch and to any replica, is recorded and delivered once', async () => {
  const { webhooks, makeEndpoint, tenant, readEvents, query } = await startFeed()
  const { id } = await makeEndpoint()
  const events = Array.from({ length: 50 }, () => newEvent(tenant))
  const batches = Array.from({ length: 16 }, (_, n) => (n % 2 ? events : events.toReversed().slice(n)))
  await Promise.all(batches.map((batch) => recordEvents(webhooks, batch)))
  expect(await readEvents()).toHaveLength(50)
  const counted = await query(
    'SELECT count(*)::int AS n, count(DISTINCT event_id)::int AS events FROM webhooks.delivery WHERE endpoint_id = $1',
    [id],
  )
  expect(counted).toEqual([{ n: 50, events: 50 }])
})

test('a change without its job, as an older release publishes it, is no event and delays no other', async () => {
  const { tenant, publishJob, waitForEvents } = await startFeed()
  const { job, ...old } = jobChanged(tenant)
  const next = jobChanged(tenant)
  await publishJob(old)
  await publishJob(next)
  expect((await waitForEvents(1)).map(({ id }) => id)).toEqual([next.eventId])
})

test('the feed has the events of one organization and mode, in both directions and in pages [endpoint.GET.events]', async () => {
  const { record, list, live, stranger } = await startFeed()
  await record(['printjob.sent'], live)
  await record(['printjob.sent'], stranger)
  const ids = await record(EVENT_TYPES.slice(0, 5))
  expect((await list({ ascending: false })).ids).toEqual(ids.toReversed())
  const first = await list({ limit: 3 })
  expect([first.ids, first.end?.hasMore]).toEqual([ids.slice(0, 3), true])
  const second = await list({ limit: 3, after: first.end?.place })
  expect([second.ids, second.end?.hasMore]).toEqual([ids.slice(3), false])
  const third = await list({ limit: 3, after: second.end?.place })
  expect([third.ids, third.end?.place]).toEqual([[], undefined])
})

test('an event has the same bytes in the feed, by its id and in deliveries; other organizations and modes do not find it [endpoint.GET.events.id feed.same-objects tenant.other-mode.event tenant.other-organization.event]', async () => {
  const { record, list, readEvents, events, tenant, live, stranger } = await startFeed()
  const [eventId = ''] = await record(['computer.online'])
  const [row] = await readEvents()
  expect((await list()).bodies).toEqual([row?.body])
  expect((await events.getEvent({ ...tenant, eventId })).event).toBe(row?.body)
  for (const other of [live, stranger])
    await expect(events.getEvent({ ...other, eventId })).rejects.toMatchObject({ code: 'not_found' })
})

test('types filter the feed in both directions and from any place [feed.type feed.type.repeated feed.type.pattern]', async () => {
  const { record, list } = await startFeed()
  const ids = await record(['printjob.sent', 'printer.added', 'printjob.done', 'printer.added', 'printjob.sent'])
  const types: EventType[] = ['printer.added', 'printjob.sent']
  const expected = [ids[0], ids[1], ids[3], ids[4]]
  expect((await list({ types })).ids).toEqual(expected)
  expect((await list({ types, ascending: false })).ids).toEqual(expected.toReversed())
  const first = await list({ types, limit: 1 })
  expect((await list({ types, after: first.end?.place })).ids).toEqual(expected.slice(1))
  expect((await list({ types: ['printer.offline'] })).ids).toEqual([])
})

test('an event is kept for 30 days and not a millisecond longer [feed.kept feed.deleted]', async () => {
  const { webhooks, list, events, tenant, clock, untilSettled } = await startFeed()
  const bornAt = clock.now().getTime() - 30 * DAY_MS
  const [kept, deleted] = [0, 1].map((olderMs) => uuidv7({ msecs: bornAt - olderMs }))
  await recordEvents(
    webhooks,
    [kept, deleted].map((id) => newEvent(tenant, 'printjob.done', id)),
  )
  await untilSettled()
  expect((await list()).ids).toEqual([kept])
  expect(await events.getEvent({ ...tenant, eventId: kept })).toBeDefined()
  await expect(events.getEvent({ ...tenant, eventId: deleted })).rejects.toMatchObject({ code: 'not_found' })
})

test('a waiting call is answered by the first event of its types, which any replica recorded [feed.wait.answers]', async () => {
  const { webhooks, record, list, tenant, live, stranger } = await startFeed()
  await record(['printjob.sent'])
  const { end } = await list()
  const waiting = list({ waitMs: 30_000, types: ['printer.added'], after: end?.place })
  await recordEvents(webhooks, [newEvent(tenant), newEvent(stranger, 'printer.added'), newEvent(live, 'printer.added')])
  const first = await Promise.race([waiting, realWait('nothing comes')])
  expect(first, 'the call was answered without an event').toBeUndefined()
  const event = newEvent(tenant, 'printer.added')
  const recordedAt = performance.now()
  await recordEvents(webhooks, [event])
  expect((await waiting).ids).toEqual([event.id])
  expect(performance.now() - recordedAt).toBeLessThan(15_000)
})

test('a waiting call without an event is answered with an empty page at the end of its time [feed.wait.ends]', async () => {
  const { list } = await startFeed()
  const askedAt = performance.now()
  expect(await list({ waitMs: 300 })).toMatchObject({ ids: [], end: { hasMore: false } })
  expect(performance.now() - askedAt).toBeGreaterThanOrEqual(290)
})
