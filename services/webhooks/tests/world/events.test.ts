/** Events, their deliveries, and the feed. Concurrent writers and waiting calls: `edge/feed.server.test.ts`. */
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { EVENT_TYPES, type EventType } from '@platen/resources/event-types.ts'
import { packPosition } from '@platen/runtime/paging.ts'
import { newMove } from '@platen/test/harness/new-move.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { realWait } from '@platen/test/harness/real-time.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { disableEndpoint } from '../../disable-endpoint.ts'
import { recordEvents } from '../../events/record-events.ts'
import { DAY_MS, newEvent, record as recordIn, startTestWebhooks, type Tenant } from '../webhooks-world.ts'

const MINUTE_MS = 60_000

/** For calls that wait longer than the usual deadline of a call. */
const LONG_CALL = { timeoutMs: 40_000 }

interface ListRequest {
  types?: EventType[]
  resourceIds?: string[]
  ascending?: boolean
  after?: Uint8Array | undefined
  limit?: number
  waitMs?: number
  occurredBefore?: Timestamp
}

async function startFeed() {
  const testing = await startTestWebhooks()
  const { webhooks, tenant, query, events, untilVisible } = testing
  const readEvents = async ({ organizationId, mode }: Tenant = tenant) =>
    await query('SELECT * FROM webhooks.event WHERE organization_id = $1 AND mode = $2 ORDER BY id', [
      organizationId,
      mode,
    ])
  return {
    ...testing,
    readEvents,
    /** Records events and waits until lists show them. */
    async record(types: EventType[], of = tenant): Promise<string[]> {
      const recorded = types.map((type) => newEvent(of, type))
      for (const event of recorded) await recordIn(webhooks, event)
      await untilVisible()
      return recorded.map(({ id }) => id)
    },
    async list({ ascending = true, after, limit = 100, ...rest }: ListRequest = {}) {
      const page = { ascending, limit, ...(after && { after }) }
      const { events: bodies, end } = await events.listEvents({ ...tenant, ...rest, page }, LONG_CALL)
      return { ids: bodies.map((body): string => JSON.parse(body).id), bodies, end }
    },
  }
}

test('the entries of the logs of jobs and devices are in the feed with the same bytes', async () => {
  const { world, query } = await startTestWebhooks()
  const { id: organizationId, addPrinter, createJob } = await newOrganization(world)
  const printer = await addPrinter('live')
  const jobId = await createJob(printer)
  await world.jobs.cancelJob({ organizationId, mode: 'live', jobId, actor: 'api' })
  await world.devices.updatePrinter({ organizationId, mode: 'live', printerId: printer.id, displayName: 'Till' })
  const columns = 'id, organization_id, mode, type, body'
  const logged = await query(
    `SELECT ${columns}, occurred_at AS created_at FROM jobs.event_log WHERE organization_id = $1
     UNION ALL SELECT ${columns}, occurred_at FROM devices.event_log WHERE organization_id = $1 ORDER BY id`,
    [organizationId],
  )
  expect(logged.map(({ type }) => type)).toEqual(['printjob.queued', 'printjob.cancelled', 'printer.updated'])
  await waitFor(async () =>
    expect(
      await query(`SELECT ${columns}, created_at FROM webhooks.event WHERE organization_id = $1 ORDER BY id`, [
        organizationId,
      ]),
    ).toEqual(logged),
  )
})

test('an endpoint gets the subscribed events of its organization and mode, and no others; one that is disabled because of failures gets missed deliveries', async () => {
  proves('delivery.subscribed', 'delivery.not-subscribed', 'delivery.own-mode', 'missed.new')
  const { webhooks, makeEndpoint, tenant, live, stranger, query, clock } = await startFeed()
  const due: string[][] = []
  const record = (...recorded: ReturnType<typeof newEvent>[]) =>
    recordIn({ ...webhooks, deliveriesAdded: (endpointIds) => void due.push(endpointIds) }, ...recorded)
  await record(newEvent(tenant))
  expect(due).toEqual([])
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
  await webhooks.orm.em.fork().transactional((em) => disableEndpoint(em, disabled.id, 'failures', clock.now()))
  const [done, queued] = [newEvent(tenant, 'printjob.done'), newEvent(tenant, 'printjob.queued')]
  await record(done, queued)
  expect(due.map((ids) => ids.toSorted())).toEqual([[all.id, ends.id].toSorted()])
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

test('an endpoint that a user disabled gets missed deliveries for 5 days, and none after them until it is enabled; one that failures disabled gets all', async () => {
  proves('missed.by-user.5-days', 'missed.by-user.later')
  const { webhooks, endpoints, makeEndpoint, readStatuses, tenant, clock } = await startFeed()
  const { id, key } = await makeEndpoint()
  const failing = await makeEndpoint()
  await webhooks.orm.em.fork().transactional((em) => disableEndpoint(em, failing.id, 'failures', clock.now()))
  const pausedAt = clock.now().getTime()
  const recordAt = async (at: number) =>
    await recordIn({ ...webhooks, clock: createTestClock(new Date(at)) }, newEvent(tenant))
  await endpoints.updateEndpoint({ ...key, enabled: false })
  await recordAt(pausedAt + 5 * DAY_MS - 1)
  await recordAt(pausedAt + 5 * DAY_MS)
  expect(await readStatuses(id)).toEqual(['missed'])
  expect(await readStatuses(failing.id)).toEqual(['missed', 'missed'])
  await endpoints.updateEndpoint({ ...key, enabled: true })
  await recordAt(pausedAt + 5 * DAY_MS)
  expect(await readStatuses(id)).toEqual(['missed', 'pending'])
})

test('a repeated event, in any batch, is recorded and delivered once; a batch whose cursor another replica has moved records nothing', async () => {
  const { webhooks, makeEndpoint, tenant, readEvents, query } = await startFeed()
  const { id } = await makeEndpoint()
  const events = Array.from({ length: 50 }, () => newEvent(tenant))
  for (const batch of [events, events.toReversed(), [...events.slice(9, 12), newEvent(tenant)]])
    await recordIn(webhooks, ...batch)
  const move = await newMove(webhooks.pool, 'webhooks')
  const replicas = Array.from({ length: 8 }, () => recordEvents(webhooks, [newEvent(tenant)], move))
  expect((await Promise.all(replicas)).toSorted()).toEqual([...Array(7).fill(false), true])
  expect(await readEvents()).toHaveLength(52)
  const counted = await query(
    'SELECT count(*)::int AS n, count(DISTINCT event_id)::int AS events FROM webhooks.delivery WHERE endpoint_id = $1',
    [id],
  )
  expect(counted).toEqual([{ n: 52, events: 52 }])
})

test('the feed has the events of one organization and mode, in both directions and in pages', async () => {
  proves('endpoint.GET.events')
  const { record, list, live, stranger } = await startFeed()
  await record(['printjob.sent'], live)
  await record(['printjob.sent'], stranger)
  const ids = await record(EVENT_TYPES.slice(0, 5))
  expect((await list({ ascending: false })).ids).toEqual(ids.toReversed())
  const first = await list({ limit: 3 })
  expect([first.ids, first.end?.hasMore]).toEqual([ids.slice(0, 3), true])
  const second = await list({ limit: 3, after: first.end?.position })
  expect([second.ids, second.end?.hasMore]).toEqual([ids.slice(3), false])
  const third = await list({ limit: 3, after: second.end?.position })
  expect(third.ids).toEqual([])
})

test('an event has the same bytes in the feed, by its id and in deliveries; other organizations and modes do not find it', async () => {
  proves('endpoint.GET.events.id', 'feed.same-objects', 'tenant.other-mode.event', 'tenant.other-organization.event')
  const { record, list, readEvents, events, tenant, live, stranger } = await startFeed()
  const [eventId = ''] = await record(['computer.online'])
  const [row] = await readEvents()
  expect((await list()).bodies).toEqual([row?.body])
  expect((await events.getEvent({ ...tenant, eventId })).event).toBe(row?.body)
  for (const other of [live, stranger])
    await expect(events.getEvent({ ...other, eventId })).rejects.toMatchObject({ code: 'not_found' })
})

test('types filter the feed in both directions and from any place', async () => {
  proves('feed.type', 'feed.type.repeated', 'feed.type.pattern')
  const { record, list } = await startFeed()
  const ids = await record(['printjob.sent', 'printer.added', 'printjob.done', 'printer.added', 'printjob.sent'])
  const types: EventType[] = ['printer.added', 'printjob.sent']
  const expected = [ids[0], ids[1], ids[3], ids[4]]
  expect((await list({ types })).ids).toEqual(expected)
  expect((await list({ types, ascending: false })).ids).toEqual(expected.toReversed())
  const first = await list({ types, limit: 1 })
  expect((await list({ types, after: first.end?.position })).ids).toEqual(expected.slice(1))
  expect((await list({ types: ['printer.offline'] })).ids).toEqual([])
})

test('a list can have the events before a time', async () => {
  const { webhooks, list, tenant, clock } = await startFeed()
  const times = [-2, -1, 0].map((minutes) => new Date(clock.now().getTime() + minutes * MINUTE_MS))
  const recorded = times.map((at) => ({ ...newEvent(tenant), occurredAt: timestampFromDate(at) }))
  await recordIn(webhooks, ...recorded)
  const occurredBefore = timestampFromDate(times[1] as Date)
  expect((await list({ ascending: false, occurredBefore })).ids).toEqual([recorded[0]?.id])
})

test('an event is kept for 30 days and not a millisecond longer', async () => {
  proves('feed.kept', 'feed.deleted')
  const { webhooks, list, events, tenant, clock, untilVisible } = await startFeed()
  const bornAt = clock.now().getTime() - 30 * DAY_MS
  const [kept, deleted] = [0, 1].map((olderMs) => uuidv7({ msecs: bornAt - olderMs }))
  await recordIn(webhooks, ...[kept, deleted].map((id) => newEvent(tenant, 'printjob.done', id)))
  await untilVisible()
  expect((await list()).ids).toEqual([kept])
  expect(await events.getEvent({ ...tenant, eventId: kept })).toBeDefined()
  await expect(events.getEvent({ ...tenant, eventId: deleted })).rejects.toMatchObject({ code: 'not_found' })
})

test('a follower whose next events may have been deleted gets `cursor_expired`; one that has missed none continues', async () => {
  proves('feed.cursor.expired', 'error.410.cursor_expired')
  const { webhooks, list, tenant, live, stranger, clock, untilVisible, readEvents } = await startFeed()
  const bornAt = clock.now().getTime() - 30 * DAY_MS
  const after = (ageMs: number) => packPosition({ commitSeq: 1n, id: uuidv7({ msecs: bornAt - ageMs }) })
  const code = 'cursor_expired'
  expect((await list({ after: after(DAY_MS) })).ids).toEqual([])
  await expect(list({ after: after(DAY_MS + 1) })).rejects.toMatchObject({ code, message: /after=now/ })
  await expect(list({ after: after(DAY_MS + 1), waitMs: 1 })).rejects.toMatchObject({ code })
  expect((await list({ after: after(DAY_MS + 1), ascending: false })).ids).toEqual([])
  for (const other of [live, stranger])
    await recordIn(webhooks, newEvent(other, 'printjob.done', uuidv7({ msecs: bornAt - 60_000 })))
  await untilVisible()
  expect((await list({ after: after(120_000) })).ids).toEqual([])
  const [kept, deleted] = [-60_000, 60_000].map((ageMs) => uuidv7({ msecs: bornAt - ageMs }))
  await recordIn(webhooks, ...[kept, deleted].map((id) => newEvent(tenant, 'printjob.done', id)))
  await untilVisible()
  for (const types of [[], ['printjob.done']] as EventType[][])
    await expect(list({ after: after(120_000), types })).rejects.toMatchObject({ code })
  expect((await list({ after: after(120_000), types: ['printer.added'] })).ids).toEqual([])
  expect((await list({ after: after(0) })).ids).toEqual([kept])
  const [row] = await readEvents()
  const resourceId = JSON.parse(row?.body).data.id
  await expect(list({ after: after(120_000), resourceIds: [resourceId] })).rejects.toMatchObject({ code })
  expect((await list({ after: after(120_000), resourceIds: [uuidv7()] })).ids).toEqual([])
  const afterDeleted = packPosition({ commitSeq: BigInt(row?.commit_seq), id: String(deleted) })
  expect((await list({ after: afterDeleted })).ids).toEqual([kept])
})

async function startReports() {
  const testing = await startFeed()
  const { webhooks, tenant, clock, events } = testing
  const at = (minutes: number) => new Date(clock.now().getTime() + minutes * MINUTE_MS)
  const newReport = (resourceId: string, minutes: number, changes: object, of: Tenant) => {
    const id = uuidv7({ msecs: at(minutes).getTime() })
    const data = { id: resourceId, state: 'online', enabled: true, stateReasons: [], ...changes }
    const body = JSON.stringify({ id, type: 'printer.updated', data })
    return { ...newEvent(of, 'printer.updated', id), occurredAt: timestampFromDate(at(minutes)), body }
  }
  return {
    ...testing,
    at,
    report: async (resourceId: string, minutes: number, changes: object = {}, of = tenant) =>
      await recordIn(webhooks, newReport(resourceId, minutes, changes, of)),
    reportAll: async (resourceId: string, reports: [minutes: number, changes: object][]) =>
      await recordIn(webhooks, ...reports.map(([minutes, changes]) => newReport(resourceId, minutes, changes, tenant))),
    async listChanges(resourceIds: string[], sinceMinutes: number) {
      const since = timestampFromDate(at(sinceMinutes))
      const { changes } = await events.listStateChanges({ ...tenant, resourceIds, since })
      return changes.map(({ at: changedAt, state }) => [changedAt && timestampDate(changedAt), state])
    },
  }
}

test('the changes of the state of a printer begin with its last known state before, and are those of its organization and mode', async () => {
  const { live, stranger, at, report, listChanges } = await startReports()
  const [id, older, other] = [uuidv7(), uuidv7(), uuidv7()]
  const stopped = { stateReasons: ['media-empty'] }
  await report(id, -90)
  await report(id, -63, { state: 'offline' })
  await report(id, -62)
  await report(id, -61, { state: 'unknown' })
  await report(id, -58, { state: 'offline', ...stopped })
  await report(id, -50)
  await report(id, -40, stopped)
  await report(id, -35, stopped)
  await report(id, -30, { state: 'unknown' })
  for (const tenant of [live, stranger]) {
    await report(id, -61, { state: 'offline' }, tenant)
    await report(id, -45, { state: 'offline' }, tenant)
  }
  await report(older, -30 * 24 * 60 - 1)
  for (const minutes of [-61, -45]) await report(other, minutes, { state: 'offline' })
  expect(await listChanges([id, older], -60)).toEqual([
    [at(-62), 'online'],
    [at(-58), 'offline'],
    [at(-50), 'online'],
    [at(-40), 'stopped'],
  ])
})

test('the state of a printer is not known before the last 200 of its events', async () => {
  const { at, reportAll, listChanges } = await startReports()
  const id = uuidv7()
  await reportAll(id, [[-62, { state: 'offline' }], ...Array.from({ length: 200 }, (): [number, object] => [-50, {}])])
  expect(await listChanges([id], -60)).toEqual([[at(-50), 'online']])
})

test('a follower of a quiet feed gets a new cursor a day after its last event, which misses nothing', async () => {
  proves('feed.cursor.renewed')
  const { webhooks, list, record, tenant, clock, untilVisible } = await startFeed()
  const [yesterday, today] = [DAY_MS + 60_000, DAY_MS - 60_000].map((ageMs) =>
    uuidv7({ msecs: clock.now().getTime() - ageMs }),
  )
  await recordIn(webhooks, newEvent(tenant, 'printjob.sent', yesterday))
  await recordIn(webhooks, newEvent(tenant, 'printjob.done', today))
  await untilVisible()
  const recent = (await list({ types: ['printjob.done'] })).end?.position
  expect((await list({ types: ['printjob.done'], after: recent })).end?.position).toBeUndefined()
  const old = (await list({ types: ['printjob.sent'] })).end?.position
  const { ids, end } = await list({ types: ['printjob.sent'], after: old })
  expect([ids, end?.position?.length]).toEqual([[], 24])
  const [sent] = await record(['printjob.sent'])
  for (const cursor of [old, end?.position])
    expect((await list({ types: ['printjob.sent'], after: cursor })).ids).toEqual([sent])
})

test('a waiting call is answered by the first event of its types, which any replica recorded', async () => {
  proves('feed.wait.answers')
  const { webhooks, record, list, tenant, live, stranger } = await startFeed()
  await record(['printjob.sent'])
  const { end } = await list()
  const waiting = list({ waitMs: 30_000, types: ['printer.added'], after: end?.position })
  await recordIn(webhooks, newEvent(tenant), newEvent(stranger, 'printer.added'), newEvent(live, 'printer.added'))
  const first = await Promise.race([waiting, realWait('nothing comes')])
  expect(first, 'the call was answered without an event').toBeUndefined()
  const event = newEvent(tenant, 'printer.added')
  const recordedAt = performance.now()
  await recordIn(webhooks, event)
  expect((await waiting).ids).toEqual([event.id])
  expect(performance.now() - recordedAt).toBeLessThan(15_000)
})

test('a waiting call without an event is answered with an empty page at the end of its time', async () => {
  proves('feed.wait.ends')
  const { list } = await startFeed()
  const calledAt = performance.now()
  expect(await list({ waitMs: 300 })).toMatchObject({ ids: [], end: { hasMore: false } })
  expect(performance.now() - calledAt).toBeGreaterThanOrEqual(290)
})
