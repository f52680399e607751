import { once } from 'node:events'
import { createServer } from 'node:net'
import { defineEntity, p } from '@mikro-orm/core'
import { createEmptyDatabase } from '@platen/test/harness/database.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { readMetric } from '@platen/test/harness/metrics.ts'
import { startTcpProxy } from '@platen/test/harness/tcp-proxy.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase, openDatabaseWithLists } from '../../database/database.ts'
import { findPending, migrate } from '../../database/migrate.ts'
import { parseDatabaseUrl } from '../../database/settings.ts'
import { createLogger } from '../../log.ts'

const HOST = '127.0.0.1'
const UNAVAILABLE = { code: 'service_unavailable', cause: expect.any(Error) }

const SaleEntity = defineEntity({ name: 'Sale', tableName: 'sale', properties: { id: p.integer().primary() } })

const MIGRATIONS = [{ name: '0001-shop', statements: ['CREATE TABLE shop.sale (id int PRIMARY KEY)'] }]
const LATER_MIGRATIONS = [
  ...MIGRATIONS,
  { name: '0002-visits', statements: ['CREATE TABLE shop.visit (id int PRIMARY KEY)'] },
]

/** A database behind a proxy. */
async function startShop({ connections }: { connections?: number } = {}) {
  const url = new URL(await createEmptyDatabase())
  const port = await freePort()
  const proxy = await startTcpProxy({ host: HOST, port }, { host: url.hostname, port: Number(url.port) })
  onTestFinished(() => proxy.close())
  url.host = `${HOST}:${port}`
  const service = createTestProcess('shop')
  onTestFinished(async () => {
    await proxy.heal()
    await service.stop()
  })
  const options = {
    settings: { server: parseDatabaseUrl(url.href), connections },
    schema: 'shop',
    entities: [SaleEntity],
    migrations: MIGRATIONS,
  }
  return { ...(await openDatabaseWithLists(service, { ...options, statementTimeoutMs: 1_000 })), proxy, port, url }
}

async function connectTo(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Every way in which services use a database. */
const USES: ((database: Database) => Promise<unknown>)[] = [
  ({ pool }) => pool.query('SELECT 1'),
  ({ orm }) => orm.em.fork().find(SaleEntity, {}),
  ({ orm }) => orm.em.fork().transactional(async (em) => await em.find(SaleEntity, {})),
]

const useAll = (database: Database) => USES.map((use) => use(database))
const expectUnavailable = (uses: Promise<unknown>[]) =>
  Promise.all(uses.map((use) => expect(use).rejects.toMatchObject(UNAVAILABLE)))

test.each(['cut', 'halfOpen'] as const)(
  'a pool and entities are unavailable while the connection is in the state %s, and recover after it',
  async (failure) => {
    const shop = await startShop()
    await Promise.all(useAll(shop))
    await shop.proxy[failure]()
    await expectUnavailable(useAll(shop))
    await shop.proxy.heal()
    for (const use of USES) await waitFor(() => use(shop))
  },
)

test('a statement whose connection is reset is unavailable', async () => {
  const shop = await startShop()
  await Promise.all(useAll(shop))
  shop.proxy.delay(200)
  const uses = useAll(shop)
  shop.proxy.reset()
  await expectUnavailable(uses)
})

test('failed transactions return their connections to the pool', async () => {
  const shop = await startShop({ connections: 6 })
  const find = () => shop.orm.em.fork().find(SaleEntity, {})
  for (let n = 0; n < 5; n++) {
    const broken = shop.orm.em.fork().transactional(async (em) => {
      shop.proxy.reset()
      return await em.find(SaleEntity, {})
    })
    await expectUnavailable([broken])
  }
  expect(await find()).toEqual([])
})

test('after a statement without a response, the others of its transaction fail at once', async () => {
  const shop = await startShop()
  const causes: unknown[] = []
  const broken = shop.orm.em.fork().transactional(async (em) => {
    await em.find(SaleEntity, {})
    await shop.proxy.halfOpen()
    for (const n of [1, 2]) await em.find(SaleEntity, { id: n }).catch(({ cause }: Error) => causes.push(cause))
  })
  await expectUnavailable([broken])
  expect(causes).toEqual([expect.any(Error), expect.any(Error)])
  expect(causes[0]).toBe(causes[1])
})

/** A message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

async function listenOn(port: number, answer: Buffer | undefined) {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    if (answer) socket.once('data', () => socket.end(answer))
  })
  await once(server.listen(port, HOST), 'listening')
  onTestFinished(() => void server.close())
  return () => connections
}

test('a connection that the server closes while it is acquired does not end the process', async () => {
  const { pool, proxy, port } = await startShop()
  proxy.cut()
  const ready = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]
  const ending = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'))
  await listenOn(port, Buffer.concat([...ready, ending]))
  await expect(pool.query('SELECT 1')).rejects.toMatchObject(UNAVAILABLE)
})

const raise = (sqlState: string) => `DO $$ BEGIN RAISE EXCEPTION 'test' USING ERRCODE = '${sqlState}'; END $$`

test('a terminated, cancelled or refused statement is unavailable; a syntax error and a constraint stay defects', async () => {
  const { pool, orm } = await startShop()
  const unavailable = 'platen_db_unavailable_total{service="shop"}'
  const countedBefore = await readMetric(unavailable)
  for (const execute of [(sql: string) => pool.query(sql), (sql: string) => orm.em.fork().execute(sql)]) {
    for (const act of ['pg_terminate_backend', 'pg_cancel_backend'])
      await expect(execute(`SELECT ${act}(pg_backend_pid())`), act).rejects.toMatchObject(UNAVAILABLE)
    for (const state of ['53300', '08004', '25006'])
      await expect(execute(raise(state)), state).rejects.toMatchObject(UNAVAILABLE)
    await expect(execute('SELEC 1')).rejects.toMatchObject({ code: '42601' })
    await expect(execute('INSERT INTO shop.sale VALUES (1), (1)')).rejects.toMatchObject({ code: '23505' })
  }
  expect((await readMetric(unavailable)) - countedBefore).toBe(10)
})

test('a connection whose server became read-only is not used again', async () => {
  const { pool, orm } = await startShop()
  const uses = [async (sql: string) => (await pool.query(sql)).rows, (sql: string) => orm.em.fork().execute(sql)]
  for (const execute of uses) {
    const before = await execute('SELECT pg_backend_pid()')
    await expect(execute(raise('25006'))).rejects.toMatchObject(UNAVAILABLE)
    expect(await execute('SELECT pg_backend_pid()')).not.toEqual(before)
  }
})

test('a standby is unavailable, also for reads', async () => {
  const shop = await startShop()
  await Promise.all(useAll(shop))
  await shop.pool.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`)
  shop.proxy.reset()
  await expectUnavailable(useAll(shop))
})

test('a replica has the connections that are set, two of which are for lists, and one of which is left for partitions', async () => {
  const shop = await startShop({ connections: 6 })
  await Promise.all(Array.from({ length: 10 }, () => [...useAll(shop), shop.lists.query('SELECT 1')]).flat())
  const { rows } = await shop.pool.query(
    `SELECT application_name, count(*)::int FROM pg_stat_activity WHERE datname = current_database()
     GROUP BY application_name ORDER BY application_name`,
  )
  expect(rows).toEqual([
    { application_name: 'platen-shop', count: 3 },
    { application_name: 'platen-shop-lists', count: 2 },
  ])
})

test('a replica without lists uses their connections, too', async () => {
  const { url } = await startShop()
  const service = createTestProcess('market')
  onTestFinished(() => service.stop())
  const settings = { server: parseDatabaseUrl(url.href), connections: 6 }
  const market = await openDatabase(service, { settings, schema: 'market', entities: [SaleEntity], migrations: [] })
  const sleeps = Array.from({ length: 10 }, () => market.pool.query('SELECT pg_sleep(0.01)'))
  await Promise.all(sleeps)
  const { rows } = await market.pool.query(
    `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'platen-market'`,
  )
  expect(rows).toEqual([{ count: 5 }])
})

test('the server detects a vanished client within 30 s', async () => {
  const { pool, orm } = await startShop()
  const sql = `SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp\\_%' ORDER BY name`
  const expected = [
    { name: 'tcp_keepalives_count', setting: '3' },
    { name: 'tcp_keepalives_idle', setting: '10' },
    { name: 'tcp_keepalives_interval', setting: '5' },
    { name: 'tcp_user_timeout', setting: '25000' },
  ]
  expect((await pool.query(sql)).rows).toEqual(expected)
  expect(await orm.em.fork().execute(sql)).toEqual(expected)
})

test('the error of a violated constraint is logged without the values of the row', async () => {
  const url = await createEmptyDatabase()
  const lines: string[] = []
  const log = createLogger('shop', 'info', { write: (line: string) => void lines.push(line) })
  const service = createTestProcess('shop', { log })
  onTestFinished(() => service.stop())
  const BuyerEntity = defineEntity({ name: 'Buyer', tableName: 'buyer', properties: { email: p.string().primary() } })
  const statements = ['CREATE TABLE shop.buyer (email text PRIMARY KEY)']
  const migrations = [{ name: '0001-shop', statements }]
  const { orm, pool } = await openDatabase(service, {
    settings: { server: parseDatabaseUrl(url) },
    schema: 'shop',
    entities: [BuyerEntity],
    migrations,
  })
  const email = 'secret@example.com'
  const insert = () => pool.query('INSERT INTO shop.buyer VALUES ($1)', [email])
  await insert()
  const uses = [insert, () => orm.em.fork().insert(BuyerEntity, { email }), () => pool.query('SELECT nothing')]
  for (const use of uses) await use().catch((err: unknown) => log.error({ err }, 'statement failed'))
  const written = lines.filter((line) => line.includes('statement failed'))
  expect(written.map((line) => JSON.parse(line).err.code)).toEqual(['23505', '23505', '42703'])
  expect(written.join('')).toContain('buyer_pkey')
  expect(written.join('')).not.toContain(email)
})

describe('a migration', () => {
  const { log } = createTestProcess('shop')

  test('abandons a server that accepts a connection and does not answer, and connects again', async () => {
    const port = await freePort()
    const connections = await listenOn(port, undefined)
    migrate(log, parseDatabaseUrl(`postgres://shop:secret@${HOST}:${port}/shop`), 'shop', MIGRATIONS).catch(
      () => undefined,
    )
    await waitFor(() => expect(connections()).toBeGreaterThan(1))
  })

  test('is waited for by a service that does not migrate itself', async () => {
    const server = parseDatabaseUrl(await createEmptyDatabase())
    const lines: string[] = []
    const service = createTestProcess('shop', {
      log: createLogger('shop', 'info', { write: (line: string) => void lines.push(line) }),
    })
    onTestFinished(() => service.stop())
    const opened = openDatabase(service, {
      settings: { server, migrations: 'wait' },
      schema: 'shop',
      entities: [SaleEntity],
      migrations: MIGRATIONS,
    })
    await waitFor(() => expect(lines.join('')).toContain('waiting for platen-server migrate'))
    const names = MIGRATIONS.map(({ name }) => name)
    expect(await findPending(log, server, 'shop', MIGRATIONS)).toEqual(names)
    expect(await migrate(log, server, 'shop', MIGRATIONS)).toEqual(names)
    await opened
  })

  test('waits for the migration of another replica', async () => {
    const url = await createEmptyDatabase()
    const other = await connectTo(url)
    await other.query(`SELECT pg_advisory_lock(hashtext('platen migrate shop'))`)
    let isDone = false
    const migrated = migrate(log, parseDatabaseUrl(url), 'shop', MIGRATIONS).then(() => {
      isDone = true
    })
    await waitFor(async () => {
      const { rows } = await other.query(
        `SELECT query FROM pg_stat_activity WHERE application_name = 'platen-shop-migration'`,
      )
      expect(rows).toMatchObject([{ query: expect.stringContaining('advisory_xact_lock') }])
    })
    expect(isDone).toBe(false)
    await other.query(`SELECT pg_advisory_unlock(hashtext('platen migrate shop'))`)
    await migrated
    expect((await other.query('SELECT FROM shop.sale')).rows).toEqual([])
  })

  test('runs once for all replicas; the next release runs the missing ones; the previous release starts after it', async () => {
    const url = await createEmptyDatabase()
    for (const release of [MIGRATIONS, LATER_MIGRATIONS, MIGRATIONS])
      await Promise.all([1, 2, 3].map(() => migrate(log, parseDatabaseUrl(url), 'shop', release)))
    const client = await connectTo(url)
    const { rows } = await client.query('SELECT name FROM shop.migration ORDER BY name')
    expect(rows).toEqual([{ name: '0001-shop' }, { name: '0002-visits' }])
    expect((await client.query('SELECT FROM shop.visit')).rows).toEqual([])
  })

  test('that waits for a table gives way to the requests that wait for its own, and is done later', async () => {
    const url = await createEmptyDatabase()
    const tables = ['CREATE TABLE shop.sale (id int PRIMARY KEY)', 'CREATE TABLE shop.visit (id int PRIMARY KEY)']
    const changes = ['sale', 'visit'].map((table) => `ALTER TABLE shop.${table} ADD COLUMN note text`)
    const migrations = [{ name: '0001-shop', statements: tables }]
    await migrate(log, parseDatabaseUrl(url), 'shop', migrations)
    const request = await connectTo(url)
    await request.query('BEGIN')
    await request.query('SELECT FROM shop.visit')
    const migrated = migrate(log, parseDatabaseUrl(url), 'shop', [
      ...migrations,
      { name: '0002-notes', statements: changes },
    ])
    await untilBlocked(await connectTo(url))
    // Without the migration giving way, one of both ends in a deadlock.
    await request.query('SELECT FROM shop.sale')
    await request.query('COMMIT')
    expect(await migrated).toEqual(['0002-notes'])
  })

  test.each([
    ['0000-schema', '0002-visits'],
    ['0001-shop', '0003-visits'],
  ])('of a schema with another migration before the last of %s and %s is refused', async (...names) => {
    const url = await createEmptyDatabase()
    await migrate(log, parseDatabaseUrl(url), 'shop', LATER_MIGRATIONS)
    const others = names.map((name) => ({ name, statements: ['SELECT FROM nothing'] }))
    await expect(migrate(log, parseDatabaseUrl(url), 'shop', others)).rejects.toThrow('Delete the data directory')
  })
})
