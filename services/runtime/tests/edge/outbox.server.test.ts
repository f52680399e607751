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
import { startConsumer } from '../../messaging/consume.ts'
import { connectNats } from '../../messaging/nats.ts'
import { confirmTo, takeConfirmations } from '../../outbox/confirmations.ts'
import { startOutboxRelay } from '../../outbox/relay.ts'
import { createOutbox } from '../../outbox/table.ts'

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
    return { service, connection: await connectNats(service, nats.url) }
  }

  return {
    nats,
    pool,
    databaseUrl,
    startProcess,
    getNumbers: (key: string) => heard.filter((event) => event.key === key).map(({ number }) => number),
    async startRelay({ republishAfterMs = 60_000, relayUrl = databaseUrl, silentMaxMs = 20_000 } = {}) {
      const { service, connection } = await startProcess()
      takeConfirmations(service, connection.connection, 'shop', pool)
      const options = { databaseUrl: relayUrl, schema: 'shop', stream: STREAM, republishAfterMs, silentMaxMs }
      return { ...startOutboxRelay(service, connection, options), service }
    },
    async startReader(handle: (event: Event) => Promise<void> = async () => undefined) {
      const { service, connection } = await startProcess()
      startConsumer(service, connection, CONSUMER, async ({ json }) => {
        await handle(json as Event)
        heard.push(json as Event)
      })
    },
    /** Adds an event in its own transaction, which commits `commitAfterMs` later. */
    async sell(key: string, number = 1, { commitAfterMs = 0, subject = 'shop.sold' } = {}) {
      await pool.query(
        `WITH added AS (
           INSERT INTO shop.outbox (event_id, order_key, subject, payload, traceparent, awaiting)
           VALUES ($1, $2, $3, $4, '', '{reader}') RETURNING id
         ) SELECT pg_sleep($5) FROM added`,
        [uuidv7(), key, subject, { key, number }, commitAfterMs / 1_000],
      )
    },
    async readRows() {
      const { rows } = await pool.query<{ order_key: string; publications: number }>(
        'SELECT order_key, publications FROM shop.outbox ORDER BY id',
      )
      return rows
    },
  }
}

type Shop = Awaited<ReturnType<typeof startShop>>
const expectConfirmed = (shop: Shop) => waitFor(async () => expect(await shop.readRows()).toEqual([]))

test('an event stays until its consumer has handled it; a handler that fails gets it again; an event that cannot be published delays no other', async () => {
  const shop = await startShop()
  const [bad, good] = [uuidv7(), uuidv7()]
  await shop.sell(bad, 1, { subject: 'not.in.the.stream' })
  await shop.startRelay()
  await shop.sell(good)
  const published = { order_key: good, publications: 1 }
  await waitFor(async () => expect(await shop.readRows()).toEqual([{ order_key: bad, publications: 0 }, published]))
  let failures = 0
  await shop.startReader(async () => {
    if (failures++ === 0) throw new Error('not now')
  })
  await waitFor(() => expect(shop.getNumbers(good)).toEqual([1]))
  expect(failures).toBe(2)
  await waitFor(async () => expect(await shop.readRows()).toMatchObject([{ order_key: bad }]))
})

test('two relays keep the order of each key with 8 concurrent writers, also of rows that commit late', async () => {
  const shop = await startShop()
  const relays = await Promise.all([shop.startRelay(), shop.startRelay()])
  await shop.startReader()
  const keys = Array.from({ length: 8 }, () => uuidv7())
  const numbers = Array.from({ length: 40 }, (_, n) => n + 1)
  await Promise.all(
    keys.map(async (key, writer) => {
      for (const number of numbers) {
        await shop.sell(key, number, { commitAfterMs: writer % 2 === 0 ? 2 : 0 })
        for (const relay of relays) relay.wake()
      }
    }),
  )
  for (const key of keys) await waitFor(() => expect(shop.getNumbers(key)).toEqual(numbers))
  await expectConfirmed(shop)
})

test('a relay takes over from one that stopped and from one that vanished; a relay without its database stops in time', async () => {
  const shop = await startShop()
  const url = new URL(shop.databaseUrl)
  const listen = { host: '127.0.0.1', port: await freePort() }
  const proxy = await startTcpProxy(listen, { host: url.hostname, port: Number(url.port) })
  onTestFinished(() => proxy.close())
  url.host = `${listen.host}:${listen.port}`
  await shop.startReader()
  const key = uuidv7()
  const stopped = await shop.startRelay()
  await shop.sell(key, 1)
  await waitFor(() => expect(shop.getNumbers(key)).toEqual([1]))

  const vanished = await shop.startRelay({ relayUrl: url.href, silentMaxMs: 2_000 })
  await stopped.service.stop()
  await shop.sell(key, 2)
  await waitFor(() => expect(shop.getNumbers(key)).toEqual([1, 2]))

  await proxy.halfOpen()
  await shop.startRelay()
  await shop.sell(key, 3)
  const stoppingAt = performance.now()
  await vanished.service.stop()
  expect(performance.now() - stoppingAt).toBeLessThan(8_000)
  await waitFor(() => expect(shop.getNumbers(key)).toEqual([1, 2, 3]))
})

test('a NATS server that lost its store gets all unconfirmed events again, and its consumer recovers', async () => {
  const shop = await startShop()
  await shop.startRelay({ republishAfterMs: 500 })
  let isLost = false
  await shop.startReader(async () => {
    if (!isLost) throw new Error('not now')
  })
  const keys = Array.from({ length: 20 }, () => uuidv7())
  for (const key of keys) await shop.sell(key)
  await waitFor(async () => expect((await shop.readRows()).every(({ publications }) => publications > 0)).toBe(true))
  await shop.nats.kill()
  await shop.nats.wipe()
  await shop.nats.start()
  isLost = true
  await expectConfirmed(shop)
  for (const key of keys) expect(shop.getNumbers(key)).toContain(1)
})

test('a relay and a confirmation of the same events wait for each other and never deadlock', async () => {
  const shop = await startShop()
  const getConnection = async () => {
    const { rows } = await shop.pool.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'platen-shop-relay'`,
    )
    return rows
  }
  const first = uuidv7()
  await shop.sell(first)
  // So many that PostgreSQL scans the table instead of the index, and finds the first event last.
  for (let more = 0; more < 50; more++) await shop.sell(uuidv7())
  await shop.pool.query(`UPDATE shop.outbox SET traceparent = '' WHERE order_key = $1`, [first])
  const { rows } = await shop.pool.query<{ event_id: string }>('SELECT event_id FROM shop.outbox ORDER BY id')
  const other = await shop.pool.connect()
  await other.query('BEGIN')
  await other.query('SELECT FROM shop.outbox WHERE order_key = $1 FOR UPDATE', [first])

  const { service, connection } = await shop.startProcess()
  takeConfirmations(service, connection.connection, 'shop', shop.pool)
  const confirmations = confirmTo(service, connection.connection, 'shop', 'reader')
  for (const { event_id } of rows) confirmations.add(event_id)
  await untilBlocked(shop.pool)
  await shop.startRelay()
  await untilBlocked(shop.pool, 2)
  const relayConnection = await getConnection()
  await other.query('COMMIT')
  other.release()

  await expectConfirmed(shop)
  // A relay whose statement fails opens another connection.
  await shop.sell(first, 2)
  await waitFor(async () => expect(await shop.readRows()).toMatchObject([{ publications: 1 }]))
  expect(relayConnection).toHaveLength(1)
  expect(await getConnection()).toEqual(relayConnection)
})
