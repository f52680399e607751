import { setTimeout as sleep } from 'node:timers/promises'
import type { ListEventsResponse } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { EVENT_TYPES, type EventType } from '@platen/resources/event-types.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { untilSettled } from '@platen/test/harness/until-settled.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { follow, writeOutOfOrder } from '@platen/test/harness/write-out-of-order.ts'
import { Client, type Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { recordEvents } from '../events/record-events.ts'
import { newEvent, startEventWriter } from './event-writer.ts'
import { startTestWebhooks, type TestWebhooks } from './start-test-webhooks.ts'

const LIVE = { organizationId: uuidv7(), mode: 'live' }
const TEST = { ...LIVE, mode: 'test' }
const OTHER = { organizationId: uuidv7(), mode: 'live' }
const DAY_SECONDS = 24 * 60 * 60
/** Of a test that must not wait for it. */
const LONG = { waitMs: 30_000 }
/** Long before its end, also where transactions of other tests on the same server hide an event for a while. */
const SOON_MS = 15_000
/** Of the call itself: more than any of these waits. */
const PATIENT = { timeoutMs: 40_000 }

interface Asked {
  types?: EventType[]
  ascending?: boolean
  after?: Uint8Array | undefined
  limit?: number
  waitMs?: number
}

const ask = ({ ascending = true, after, limit = 100, ...rest }: Asked, tenant = LIVE) => ({
  ...tenant,
  ...rest,
  page: { ascending, limit, ...(after && { after }) },
})

const idsOf = ({ events }: ListEventsResponse): string[] => events.map((body) => JSON.parse(body).id)

/** Writes events and waits until they may be shown. */
async function record(webhooks: TestWebhooks, types: EventType[], tenant = LIVE): Promise<string[]> {
  const writer = await startEventWriter(webhooks)
  const ids: string[] = []
  for (const type of types) {
    const event = newEvent(tenant, type)
    await recordEvents(writer, [event])
    ids.push(event.id)
  }
  await untilSettled(writer.pool)
  return ids
}

test('who begins now gets no event that was there, and each of a transaction that was open then or came later', async () => {
  const webhooks = await startTestWebhooks()
  await record(webhooks, ['printjob.done', 'printjob.error'])
  const writer = await startEventWriter(webhooks)
  const open = new Client({ connectionString: webhooks.databaseUrl })
  await open.connect()
  onTestFinished(() => open.end())
  const [held, later] = [newEvent(LIVE), newEvent(LIVE)]
  await open.query('BEGIN')
  await recordEvents({ ...writer, pool: open as unknown as Pool }, [held])

  const beginning = await webhooks.events.listEvents({ ...ask({}), fromNow: true })
  await recordEvents(writer, [later])
  await open.query('COMMIT')
  await untilSettled(writer.pool)

  expect(beginning.events).toEqual([])
  const { events } = await webhooks.events.listEvents(ask({ after: beginning.end?.place }))
  expect(events.map((body) => JSON.parse(body).id).toSorted()).toEqual([held.id, later.id].toSorted())
})

test('a poller that follows the cursor sees each of 20,000 events of 16 concurrent writers exactly once, in an order that never goes back', async () => {
  const webhooks = await startTestWebhooks()
  const writer = await startEventWriter(webhooks)
  const writing = writeOutOfOrder(
    webhooks.databaseUrl,
    async (client) => {
      const events = Array.from({ length: 25 }, () => newEvent(LIVE))
      await recordEvents({ ...writer, pool: client as unknown as Pool }, events)
      return events.map(({ id }) => id)
    },
    50,
  )

  const seen = await follow<Uint8Array>(writing, async (after) => {
    const page = await webhooks.events.listEvents(ask({ after, waitMs: 1_000 }), PATIENT)
    return { ids: idsOf(page), next: page.end?.place }
  })

  expect(await writing).toHaveLength(20_000)
  const inOrder = await webhooks.query<{ id: string }>(`SELECT id FROM webhooks.event ORDER BY list_place, id`)
  expect(seen).toEqual(inOrder.map(({ id }) => id))
}, 60_000)

test('the feed has the events of one organization and mode, by either direction and in pages', async () => {
  const webhooks = await startTestWebhooks()
  await record(webhooks, ['printjob.sent'], TEST)
  await record(webhooks, ['printjob.sent'], OTHER)
  const ids = await record(webhooks, EVENT_TYPES.slice(0, 5))

  expect(idsOf(await webhooks.events.listEvents(ask({ ascending: false })))).toEqual(ids.toReversed())
  const first = await webhooks.events.listEvents(ask({ limit: 3 }))
  expect([idsOf(first), first.end?.hasMore]).toEqual([ids.slice(0, 3), true])
  const second = await webhooks.events.listEvents(ask({ limit: 3, after: first.end?.place }))
  expect([idsOf(second), second.end?.hasMore]).toEqual([ids.slice(3), false])
  const third = await webhooks.events.listEvents(ask({ limit: 3, after: second.end?.place }))
  expect([idsOf(third), third.end?.place]).toEqual([[], undefined])
})

test('an event is shown in the bytes that are delivered, in the feed and by its id', async () => {
  const webhooks = await startTestWebhooks()
  const [id = ''] = await record(webhooks, ['computer.online'])
  const [row] = await webhooks.query<{ body: string }>(`SELECT body FROM webhooks.event`)

  expect((await webhooks.events.listEvents(ask({}))).events).toEqual([row?.body])
  expect((await webhooks.events.getEvent({ ...LIVE, eventId: id })).event).toBe(row?.body)
})

test('an event of another organization or mode is not found', async () => {
  const webhooks = await startTestWebhooks()
  const [eventId = ''] = await record(webhooks, ['computer.online'])

  for (const tenant of [TEST, OTHER])
    await expect(webhooks.events.getEvent({ ...tenant, eventId })).rejects.toMatchObject({ code: 'not_found' })
})

test('types narrow the feed to any of them, in its order, in both directions and from any place', async () => {
  const webhooks = await startTestWebhooks()
  const types: EventType[] = ['printjob.sent', 'printer.added', 'printjob.done', 'printer.added', 'printjob.sent']
  const ids = await record(webhooks, types)
  const wanted = { types: ['printer.added', 'printjob.sent'] as EventType[] }
  const expected = [ids[0], ids[1], ids[3], ids[4]]

  expect(idsOf(await webhooks.events.listEvents(ask(wanted)))).toEqual(expected)
  expect(idsOf(await webhooks.events.listEvents(ask({ ...wanted, ascending: false })))).toEqual(expected.toReversed())
  const first = await webhooks.events.listEvents(ask({ ...wanted, limit: 1 }))
  const rest = await webhooks.events.listEvents(ask({ ...wanted, after: first.end?.place }))
  expect(idsOf(rest)).toEqual(expected.slice(1))
  expect(idsOf(await webhooks.events.listEvents(ask({ types: ['printer.offline'] })))).toEqual([])
})

test('an event is shown for 30 days and not a moment longer, whether or not its day is dropped by then', async () => {
  const webhooks = await startTestWebhooks()
  const [eventId = ''] = await record(webhooks, ['printjob.done'])
  const millisecond = Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16)
  const toEndSeconds = 30 * DAY_SECONDS - (webhooks.clock.now().getTime() - millisecond) / 1000

  webhooks.clock.advanceSeconds(toEndSeconds)
  expect(idsOf(await webhooks.events.listEvents(ask({})))).toEqual([eventId])
  expect(await webhooks.events.getEvent({ ...LIVE, eventId })).toBeDefined()

  webhooks.clock.advanceSeconds(0.001)
  expect(idsOf(await webhooks.events.listEvents(ask({})))).toEqual([])
  await expect(webhooks.events.getEvent({ ...LIVE, eventId })).rejects.toMatchObject({ code: 'not_found' })
})

test('a call that waits is answered as soon as there is something, whichever replica wrote it', async () => {
  const webhooks = await startTestWebhooks()
  const [seen = ''] = await record(webhooks, ['printjob.sent'])
  const first = await webhooks.events.listEvents(ask({}))
  const writer = await startEventWriter(webhooks)
  const waiting = webhooks.events.listEvents(ask({ ...LONG, after: first.end?.place }), PATIENT)
  await untilWaiting(waiting)
  const event = newEvent(LIVE, 'printjob.done')
  const writtenAt = performance.now()

  await recordEvents(writer, [event])

  expect(idsOf(await waiting)).toEqual([event.id])
  expect(performance.now() - writtenAt).toBeLessThan(SOON_MS)
  expect(seen).not.toBe(event.id)
})

test('a call that waits for a type is not answered by others', async () => {
  const webhooks = await startTestWebhooks()
  const writer = await startEventWriter(webhooks)
  const waiting = webhooks.events.listEvents(ask({ ...LONG, types: ['printer.added'] }), PATIENT)
  await recordEvents(writer, [
    newEvent(LIVE, 'printjob.done'),
    newEvent(OTHER, 'printer.added'),
    newEvent(TEST, 'printer.added'),
  ])
  await untilWaiting(waiting)
  const event = newEvent(LIVE, 'printer.added')

  await recordEvents(writer, [event])

  expect(idsOf(await waiting)).toEqual([event.id])
})

test('a call that waits in vain is answered with an empty page when its time is over', async () => {
  const webhooks = await startTestWebhooks()
  const askedAt = performance.now()

  const page = await webhooks.events.listEvents(ask({ waitMs: 1_000 }), PATIENT)

  expect(page).toMatchObject({ events: [], end: { hasMore: false } })
  expect(performance.now() - askedAt).toBeGreaterThanOrEqual(990)
})

test('an event whose word got lost is found when the time of who waits is over', async () => {
  const webhooks = await startTestWebhooks()
  const writer = await startEventWriter(webhooks)
  // By then it is written, and transactions of other tests that hide it are over.
  const waiting = webhooks.events.listEvents(ask({ waitMs: 10_000 }), PATIENT)
  await untilWaiting(waiting)
  const event = newEvent(LIVE)
  const mute = { ...writer.nats, connection: { isClosed: () => true } } as unknown as typeof writer.nats

  await recordEvents({ ...writer, nats: mute }, [event])

  expect(idsOf(await waiting)).toEqual([event.id])
})

test('an event that an older transaction hides is shown as soon as that is over, without another word', async () => {
  const webhooks = await startTestWebhooks()
  const older = new Client({ connectionString: webhooks.databaseUrl })
  await older.connect()
  onTestFinished(() => older.end())
  await older.query('BEGIN')
  await older.query('SELECT pg_current_xact_id()')
  const writer = await startEventWriter(webhooks)
  const waiting = webhooks.events.listEvents(ask(LONG), PATIENT)
  const event = newEvent(LIVE)
  await recordEvents(writer, [event])
  await untilWaiting(waiting)
  const overAt = performance.now()

  await older.query('COMMIT')

  expect(idsOf(await waiting)).toEqual([event.id])
  expect(performance.now() - overAt).toBeLessThan(SOON_MS)
})

test('who waits holds no database connection, and all of a thousand are answered', async () => {
  const webhooks = await startTestWebhooks()
  const writer = await startEventWriter(webhooks)
  const waiting = Array.from({ length: 1_000 }, () => webhooks.events.listEvents(ask(LONG), PATIENT))
  await untilWaiting(Promise.race(waiting))
  await waitFor(async () => {
    const [row] = await webhooks.query<{ busy: number }>(
      `SELECT count(*)::int AS busy FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'platen-webhooks' AND state <> 'idle'`,
    )
    expect(row?.busy).toBe(0)
  })
  expect(await webhooks.events.listEvents(ask({}))).toMatchObject({ events: [] })
  const event = newEvent(LIVE)

  await recordEvents(writer, [event])

  const answers = await Promise.all(waiting)
  expect(new Set(answers.map((answer) => idsOf(answer).join()))).toEqual(new Set([event.id]))
})

test('who waits is answered with an empty page at once when the process stops', async () => {
  const webhooks = await startTestWebhooks()
  const { pool } = await startEventWriter(webhooks)
  const release = await webhooks.hold('LOCK TABLE webhooks.event')
  const waiting = webhooks.events.listEvents(ask(LONG), PATIENT)
  // The process has the call: one that comes after its end is refused.
  await untilBlocked(pool)
  await release()
  await untilWaiting(waiting)
  const stoppedAt = performance.now()

  const [page] = await Promise.all([waiting, webhooks.first.stop()])

  expect(page.events).toEqual([])
  expect(performance.now() - stoppedAt).toBeLessThan(SOON_MS)
})

/** Until its first look is over, in which nothing was found. */
async function untilWaiting(waiting: Promise<unknown>): Promise<void> {
  const early = await Promise.race([waiting.then(() => true), sleep(400).then(() => false)])
  expect(early, 'it was answered before there was something').toBe(false)
}
