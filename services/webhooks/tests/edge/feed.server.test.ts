/**
 * The feed with concurrent transactions, many waiting calls, and a process that stops. The feed itself:
 * `world/events.test.ts`.
 */
import type { ListEventsResponse } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { realWait } from '@platen/test/harness/real-time.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startOwnWorld, type World } from '@platen/test/harness/world.ts'
import { follow, writeOutOfOrder } from '@platen/test/harness/write-out-of-order.ts'
import { Client, type Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newEvent, record, startTestWebhooks } from '../webhooks-world.ts'

/** The wait of calls that an event answers. */
const LONG_MS = 30_000
/** Long before the end of such a call. */
const SOON_MS = 15_000

async function startFeed(own?: World) {
  const testing = await startTestWebhooks(own)
  const { world, events, tenant, webhooks } = testing
  return {
    ...testing,
    list: (request: object = {}) =>
      events.listEvents({ ...tenant, page: { ascending: true, limit: 100 }, ...request }, { timeoutMs: 40_000 }),
    /** Records one event in the transaction of `client`. */
    async recordBy(client: Client | Pool) {
      const event = newEvent(tenant)
      await record({ ...webhooks, pool: client as unknown as Pool }, event)
      return event.id
    },
    async begin() {
      const client = new Client({ connectionString: world.databaseUrl })
      await client.connect()
      onTestFinished(() => client.end())
      await client.query('BEGIN')
      return client
    },
  }
}

const readIds = ({ events }: ListEventsResponse): string[] => events.map((body) => JSON.parse(body).id)

async function expectWaiting(call: Promise<unknown>): Promise<void> {
  const first = await Promise.race([call, realWait('nothing comes')])
  expect(first, 'the call was answered without an event').toBeUndefined()
}

test('a feed that begins now has no earlier event, and each of a transaction that was open then or came later', async () => {
  const { list, recordBy, begin, webhooks } = await startFeed()
  await recordBy(webhooks.pool)
  // Transactions of other tests on this server can be older.
  await untilVisible(webhooks.pool)
  const open = await begin()
  const held = await recordBy(open)
  const beginning = await list({ fromNow: true })
  const later = await recordBy(webhooks.pool)
  await open.query('COMMIT')
  await untilVisible(webhooks.pool)
  expect(beginning.events).toEqual([])
  const after = beginning.end?.position
  const ids = readIds(await list({ page: { ascending: true, limit: 100, ...(after && { after }) } }))
  expect(ids.toSorted()).toEqual([held, later].toSorted())
})

test('a poller sees each of 2,000 events of 16 concurrent writers once, in a stable order', async () => {
  proves('feed.commit-order')
  const { world, list, webhooks, tenant, query } = await startFeed()
  const writing = writeOutOfOrder(
    world.databaseUrl,
    async (client) => {
      const events = Array.from({ length: 25 }, () => newEvent(tenant))
      await record({ ...webhooks, pool: client as unknown as Pool }, ...events)
      return events.map(({ id }) => id)
    },
    5,
  )
  const seen = await follow<Uint8Array>(writing, async (after) => {
    const page = await list({ waitMs: 1_000, page: { ascending: true, limit: 100, ...(after && { after }) } })
    return { ids: readIds(page), next: page.end?.position }
  })
  expect(await writing).toHaveLength(2_000)
  const sql = 'SELECT id FROM webhooks.event WHERE organization_id = $1 ORDER BY commit_seq, id'
  const inOrder = await query<{ id: string }>(sql, [tenant.organizationId])
  expect(seen).toEqual(inOrder.map(({ id }) => id))
})

test('an event that an older transaction hides is shown as soon as that ends, without another wake', async () => {
  const { list, recordBy, begin, webhooks } = await startFeed()
  const older = await begin()
  await older.query('SELECT pg_current_xact_id()')
  const waiting = list({ waitMs: LONG_MS })
  const id = await recordBy(webhooks.pool)
  await expectWaiting(waiting)
  const endedAt = performance.now()
  await older.query('COMMIT')
  expect(readIds(await waiting)).toEqual([id])
  expect(performance.now() - endedAt).toBeLessThan(SOON_MS)
})

test('an event whose wake is lost is found at the end of a waiting call', async () => {
  const { list, tenant, webhooks } = await startFeed()
  // Long enough for the transactions of other tests on this server, which can hide the event.
  const waiting = list({ waitMs: 4_000 })
  await expectWaiting(waiting)
  const event = newEvent(tenant)
  const mute = { ...webhooks.nats, connection: { isClosed: () => true } } as unknown as typeof webhooks.nats
  await record({ ...webhooks, nats: mute }, event)
  expect(readIds(await waiting)).toEqual([event.id])
})

test('waiting calls hold no database connection; a hundred are answered', async () => {
  const { list, query, recordBy, webhooks } = await startFeed()
  const waiting = Array.from({ length: 100 }, () => list({ waitMs: LONG_MS }))
  await expectWaiting(Promise.race(waiting))
  await waitFor(async () => {
    const [row] = await query<{ busy: number }>(
      `SELECT count(*)::int AS busy FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'platen-webhooks' AND state <> 'idle'`,
    )
    expect(row?.busy).toBe(0)
  })
  expect(await list()).toMatchObject({ events: [] })
  const id = await recordBy(webhooks.pool)
  const answers = await Promise.all(waiting)
  expect(new Set(answers.map((answer) => readIds(answer).join()))).toEqual(new Set([id]))
})

test('a waiting call is answered with an empty page at once when the process stops', async () => {
  const { world, list, hold } = await startFeed(await startOwnWorld())
  const commit = await hold('LOCK TABLE webhooks.event')
  const waiting = list({ waitMs: LONG_MS })
  // The process has accepted the call. It refuses later ones.
  await untilBlocked(world.pool)
  await commit()
  await expectWaiting(waiting)
  const stoppedAt = performance.now()
  const [page] = await Promise.all([waiting, world.processes.webhooks.stop()])
  expect(page.events).toEqual([])
  expect(performance.now() - stoppedAt).toBeLessThan(SOON_MS)
})
