import { setTimeout as sleep } from 'node:timers/promises'
import { createEmptyDatabase } from '@platen/test/harness/database.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { startTcpProxy } from '@platen/test/harness/tcp-proxy.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { startConsumer } from '../messaging/consume.ts'
import { connectNats } from '../messaging/nats.ts'
import { confirmTo, takeConfirmations } from '../outbox/confirmations.ts'
import { startOutboxRelay } from '../outbox/relay.ts'
import { createOutbox } from '../outbox/table.ts'

const STREAM = { name: 'SHOP', subjects: ['shop.>'] }
const CONSUMER = { name: 'reader', stream: STREAM, filterSubject: 'shop.sold', outbox: 'shop' }

interface Event {
  key: string
  number: number
}

async function startShop() {
  const nats = await startTestNats()
  const databaseUrl = await createEmptyDatabase()
  const pool = new Pool({ connectionString: databaseUrl, max: 16 })
  onTestFinished(() => pool.end())
  await pool.query('CREATE SCHEMA shop')
  for (const statement of createOutbox('shop')) await pool.query(statement)
  const heard: Event[] = []

  async function startProcess() {
    const service = createTestProcess('shop')
    onTestFinished(() => service.stop())
    const connection = await connectNats(service, nats.url)
    return { service, connection }
  }

  return {
    nats,
    pool,
    heard,
    numbersOf: (key: string) => heard.filter((event) => event.key === key).map(({ number }) => number),
    databaseUrl,
    startProcess,
    async startRelay({ republishAfterMs = 60_000, relayUrl = databaseUrl } = {}) {
      const { service, connection } = await startProcess()
      takeConfirmations(service, connection.connection, 'shop', pool)
      const relay = startOutboxRelay(service, connection, {
        databaseUrl: relayUrl,
        schema: 'shop',
        stream: STREAM,
        republishAfterMs,
      })
      return { ...relay, service }
    },
    async startReader(handle: (event: Event) => Promise<void> = async () => undefined) {
      const { service, connection } = await startProcess()
      startConsumer(service, connection, CONSUMER, async ({ json }) => {
        await handle(json as Event)
        heard.push(json as Event)
      })
      return service
    },
    /** Adds an event in a transaction of its own, which commits `commitAfterMs` later. */
    async sell(key: string, number: number, commitAfterMs = 0) {
      const client = await pool.connect()
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO shop.outbox (event_id, order_key, subject, payload, traceparent, awaiting)
         VALUES ($1, $2, 'shop.sold', $3, '', '{reader}')`,
        [uuidv7(), key, { key, number }],
      )
      if (commitAfterMs > 0) await sleep(commitAfterMs)
      await client.query('COMMIT')
      client.release()
    },
    async unconfirmed() {
      const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM shop.outbox`)
      return rows[0]?.count
    },
    /** @returns the id of the process in which PostgreSQL serves the relay. */
    async relayConnection() {
      const { rows } = await pool.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'platen-shop-relay'`,
      )
      expect(rows).toHaveLength(1)
      return rows[0]?.pid
    },
  }
}

test('an event reaches its consumer, and its row is gone once the consumer has confirmed it', async () => {
  const shop = await startShop()
  const relay = await shop.startRelay()
  await shop.startReader()
  const key = uuidv7()
  await shop.sell(key, 1)
  relay.wake()
  await waitFor(() => expect(shop.numbersOf(key)).toEqual([1]))
  await waitFor(async () => expect(await shop.unconfirmed()).toBe(0))
})

test('without a consumer the row stays', async () => {
  const shop = await startShop()
  await shop.startRelay()
  await shop.sell(uuidv7(), 1)
  await waitFor(async () => {
    const { rows } = await shop.pool.query(`SELECT publications FROM shop.outbox WHERE published_at IS NOT NULL`)
    expect(rows).toEqual([{ publications: 1 }])
  })
  expect(await shop.unconfirmed()).toBe(1)
})

test('two relays keep the order of each key under 8 concurrent writers, and skip no row that commits late', async () => {
  const shop = await startShop()
  const relays = await Promise.all([shop.startRelay(), shop.startRelay()])
  await shop.startReader()
  const keys = Array.from({ length: 8 }, () => uuidv7())
  await Promise.all(
    keys.map(async (key, writer) => {
      for (let number = 1; number <= 40; number++) {
        await shop.sell(key, number, writer % 2 === 0 ? 2 : 0)
        for (const relay of relays) relay.wake()
      }
    }),
  )
  const inOrder = Array.from({ length: 40 }, (_, n) => n + 1)
  await waitFor(() => expect(shop.heard).toHaveLength(8 * 40))
  for (const key of keys) expect(shop.numbersOf(key)).toEqual(inOrder)
  await waitFor(async () => expect(await shop.unconfirmed()).toBe(0))
})

test('the partitions of a relay that stopped are taken over', async () => {
  const shop = await startShop()
  const first = await shop.startRelay()
  await shop.startReader()
  await shop.sell(uuidv7(), 1)
  await waitFor(() => expect(shop.heard).toHaveLength(1))
  await shop.startRelay()
  await first.service.stop()
  await shop.sell(uuidv7(), 2)
  await waitFor(() => expect(shop.heard).toHaveLength(2))
})

/** Another way to the database, which a test can break. */
async function startProxy(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const listen = { host: '127.0.0.1', port: await freePort() }
  const proxy = await startTcpProxy(listen, { host: url.hostname, port: Number(url.port) })
  onTestFinished(() => proxy.close())
  url.host = `${listen.host}:${listen.port}`
  return { proxy, relayUrl: url.href }
}

/** How long the server keeps a connection that says nothing, and what else it takes. */
const TAKEN_OVER_WITHIN_MS = 40_000

test('the partitions of a relay that vanished without a word are taken over, and it works again when it is back', async () => {
  const shop = await startShop()
  const { proxy, relayUrl } = await startProxy(shop.databaseUrl)
  await shop.startRelay({ relayUrl })
  await shop.startReader()
  await shop.sell(uuidv7(), 1)
  await waitFor(() => expect(shop.heard).toHaveLength(1))
  await proxy.halfOpen()
  const other = await shop.startRelay()
  await shop.sell(uuidv7(), 2)
  await waitFor(() => expect(shop.heard.map(({ number }) => number)).toEqual([1, 2]), TAKEN_OVER_WITHIN_MS)
  await proxy.heal()
  await other.service.stop()
  await shop.sell(uuidv7(), 3)
  await waitFor(() => expect(shop.heard.map(({ number }) => number)).toEqual([1, 2, 3]))
}, 60_000)

test('a relay stops in time when its connection leads nowhere', async () => {
  const shop = await startShop()
  const { proxy, relayUrl } = await startProxy(shop.databaseUrl)
  const { service } = await shop.startRelay({ relayUrl })
  await shop.startReader()
  await shop.sell(uuidv7(), 1)
  await waitFor(() => expect(shop.heard).toHaveLength(1))
  await proxy.halfOpen()
  // By a timer of this process: while it stands still, so does the relay.
  let tenths = 0
  const timer = setInterval(() => tenths++, 100)
  onTestFinished(() => clearInterval(timer))
  await service.stop()
  expect(tenths).toBeLessThan(80)
})

test('a handler that fails sees the event again', async () => {
  const shop = await startShop()
  await shop.startRelay()
  let failures = 0
  await shop.startReader(async () => {
    if (failures++ === 0) throw new Error('not now')
  })
  await shop.sell(uuidv7(), 1)
  await waitFor(() => expect(shop.heard).toHaveLength(1))
  expect(failures).toBe(2)
})

test('what a server loses with its store is published again, and everything goes on by itself', async () => {
  const shop = await startShop()
  await shop.startRelay({ republishAfterMs: 500 })
  const keys = Array.from({ length: 20 }, () => uuidv7())
  for (const key of keys) await shop.sell(key, 1)
  await waitFor(async () => {
    const { rows } = await shop.pool.query(`SELECT count(*)::int AS count FROM shop.outbox WHERE publications > 0`)
    expect(rows).toEqual([{ count: 20 }])
  })
  await shop.nats.kill()
  await shop.nats.wipe()
  await shop.nats.start()
  await shop.startReader()
  await waitFor(() => expect(new Set(shop.heard.map(({ key }) => key))).toEqual(new Set(keys)))
  await waitFor(async () => expect(await shop.unconfirmed()).toBe(0))
})

test('a consumer whose server came back empty makes itself anew', async () => {
  const shop = await startShop()
  await shop.startRelay({ republishAfterMs: 500 })
  await shop.startReader()
  await shop.sell(uuidv7(), 1)
  await waitFor(() => expect(shop.heard).toHaveLength(1))
  await shop.nats.kill()
  await shop.nats.wipe()
  await shop.nats.start()
  await shop.sell(uuidv7(), 2)
  await waitFor(() => expect(shop.heard.map(({ number }) => number)).toContain(2), 20_000)
})

test('of two consumers that confirm an event at the same time the second takes it away', async () => {
  const shop = await startShop()
  await shop.startRelay()
  const key = uuidv7()
  await shop.sell(key, 1)
  await waitFor(async () => {
    const { rows } = await shop.pool.query(`SELECT FROM shop.outbox WHERE published_at IS NOT NULL`)
    expect(rows).toHaveLength(1)
  })
  await shop.pool.query(`UPDATE shop.outbox SET awaiting = '{reader,another}'`)
  // The confirmation of another replica, which is not committed yet.
  const other = await shop.pool.connect()
  await other.query('BEGIN')
  await other.query(`UPDATE shop.outbox SET awaiting = array_remove(awaiting, 'another')`)

  await shop.startReader()
  await untilBlocked(shop.pool)
  await other.query('COMMIT')
  other.release()

  await waitFor(async () => expect(await shop.unconfirmed()).toBe(0))
})

test('a relay and a confirmation of the same events wait for each other and never deadlock', async () => {
  const shop = await startShop()
  const first = uuidv7()
  await shop.sell(first, 1)
  // So many that PostgreSQL walks through the table and not through the index.
  for (let more = 0; more < 50; more++) await shop.sell(uuidv7(), 1)
  // The first one is found last there.
  await shop.pool.query(`UPDATE shop.outbox SET traceparent = '' WHERE order_key = $1`, [first])
  const { rows } = await shop.pool.query<{ event_id: string }>(`SELECT event_id FROM shop.outbox ORDER BY id`)
  const other = await shop.pool.connect()
  await other.query('BEGIN')
  await other.query(`SELECT FROM shop.outbox WHERE order_key = $1 FOR UPDATE`, [first])

  const { service, connection: nats } = await shop.startProcess()
  takeConfirmations(service, nats.connection, 'shop', shop.pool)
  const confirmations = confirmTo(service, nats.connection, 'shop', 'reader')
  for (const { event_id } of rows) confirmations.add(event_id)
  await untilBlocked(shop.pool)
  await shop.startRelay()
  await untilBlocked(shop.pool, 2)
  const connection = await shop.relayConnection()
  await other.query('COMMIT')
  other.release()

  await waitFor(async () => expect(await shop.unconfirmed()).toBe(0))
  // Its statement did not fail either: a relay whose statement fails goes on with another connection.
  await shop.sell(first, 2)
  await waitFor(async () => {
    const { rows } = await shop.pool.query(`SELECT publications FROM shop.outbox`)
    expect(rows).toEqual([{ publications: 1 }])
  })
  expect(await shop.relayConnection()).toBe(connection)
})

test('an event that nobody confirms goes out again each time twice as late, up to 8 times', async () => {
  const shop = await startShop()
  const publicationsOf = async (key: string) => {
    const { rows } = await shop.pool.query(`SELECT publications FROM shop.outbox WHERE order_key = $1`, [key])
    return rows[0]?.publications
  }
  const publishedBefore = async (key: string, publications: number, minutes: number) =>
    await shop.pool.query(
      `UPDATE shop.outbox SET publications = $2, published_at = now() - make_interval(mins => $3) WHERE order_key = $1`,
      [key, publications, minutes],
    )
  const [once, often, veryOften] = [uuidv7(), uuidv7(), uuidv7()]
  for (const key of [once, often, veryOften]) await shop.sell(key, 1)
  await publishedBefore(once, 1, 2)
  await publishedBefore(often, 3, 3)
  await publishedBefore(veryOften, 30, 9)

  await shop.startRelay({ republishAfterMs: 60_000 })

  await waitFor(async () => expect([await publicationsOf(once), await publicationsOf(veryOften)]).toEqual([2, 31]))
  expect(await publicationsOf(often)).toBe(3)
  await publishedBefore(often, 3, 5)
  await waitFor(async () => expect(await publicationsOf(often)).toBe(4))
})

test('an event that is being confirmed does not keep others from going out again', async () => {
  const shop = await startShop()
  const [confirmed, unconfirmed] = [uuidv7(), uuidv7()]
  for (const key of [confirmed, unconfirmed]) await shop.sell(key, 1)
  await shop.pool.query(`UPDATE shop.outbox SET publications = 1, published_at = now() - interval '2 minutes'`)
  // The confirmation of a consumer, which is not committed yet.
  const other = await shop.pool.connect()
  await other.query('BEGIN')
  await other.query(`DELETE FROM shop.outbox WHERE order_key = $1`, [confirmed])

  await shop.startRelay({ republishAfterMs: 60_000 })

  await waitFor(async () => {
    const { rows } = await shop.pool.query(`SELECT order_key, publications FROM shop.outbox ORDER BY id`)
    expect(rows).toEqual([
      { order_key: confirmed, publications: 1 },
      { order_key: unconfirmed, publications: 2 },
    ])
  })
  await other.query('COMMIT')
  other.release()
  expect(await shop.unconfirmed()).toBe(1)
})
