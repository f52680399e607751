import { once } from 'node:events'
import { createServer } from 'node:net'
import { Code } from '@connectrpc/connect'
import { defineEntity, p } from '@mikro-orm/core'
import { Migration } from '@mikro-orm/migrations'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { startTcpProxy, type TcpProxy } from '@platen/test/harness/tcp-proxy.ts'
import { createEmptyDatabase } from '@platen/test/harness/database.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { connectRpc } from '../rpc/client.ts'
import { serveRpc } from '../rpc/server.ts'

const HOST = '127.0.0.1'

const SaleEntity = defineEntity({ name: 'Sale', tableName: 'sale', properties: { id: p.integer().primary() } })

class CreateShop extends Migration {
  override up(): void {
    this.addSql('CREATE TABLE shop.sale (id int PRIMARY KEY)')
  }
}

class CreateVisits extends Migration {
  override up(): void {
    this.addSql('CREATE TABLE shop.visit (id int PRIMARY KEY)')
  }
}

const MIGRATIONS = [{ name: '0001-shop', class: CreateShop }]
const LATER_MIGRATIONS = [...MIGRATIONS, { name: '0002-visits', class: CreateVisits }]

/** A database that is reached through a proxy. */
async function startShop() {
  const directUrl = await createEmptyDatabase()
  const url = new URL(directUrl)
  const port = await freePort()
  const proxy = await startTcpProxy({ host: HOST, port }, { host: url.hostname, port: Number(url.port) })
  onTestFinished(() => proxy.close())
  url.host = `${HOST}:${port}`
  const service = createTestProcess('shop')
  onTestFinished(async () => {
    await proxy.heal()
    await service.stop()
  })
  const database = await openDatabase(service, {
    url: url.href,
    schema: 'shop',
    entities: [SaleEntity],
    migrations: MIGRATIONS,
  })
  return { ...database, proxy, directUrl, url: url.href }
}

/** Every way in which services use a database. */
const USES: [string, (database: Database) => Promise<unknown>][] = [
  ['a hot statement', ({ pool }) => pool.query('SELECT 1')],
  ['finding an entity', ({ orm }) => orm.em.fork().find(SaleEntity, {})],
  ['a transaction of entities', ({ orm }) => orm.em.fork().transactional(async (em) => await em.find(SaleEntity, {}))],
]

const FAILURES: [string, (proxy: TcpProxy) => void | Promise<void>][] = [
  ['is refused', (proxy) => proxy.cut()],
  ['is not answered any more', (proxy) => proxy.halfOpen()],
]

const UNAVAILABLE = { code: 'service_unavailable', cause: expect.any(Error) }

describe.each(USES)('%s', (_use, use) => {
  test.each(FAILURES)('is unavailable while the connection %s, and works again after that', async (_failure, fail) => {
    const shop = await startShop()
    await use(shop)
    await fail(shop.proxy)
    await expect(use(shop)).rejects.toMatchObject(UNAVAILABLE)
    await shop.proxy.heal()
    await waitFor(() => use(shop))
  })

  test('is unavailable when its connection is ended under way', async () => {
    const shop = await startShop()
    await use(shop)
    shop.proxy.delay(200)
    const under = use(shop)
    shop.proxy.reset()
    await expect(under).rejects.toMatchObject(UNAVAILABLE)
  })
})

test('transactions that break give their connections back', async () => {
  const shop = await startShop()
  for (let n = 0; n < 5; n++) {
    const broken = shop.orm.em.fork().transactional(async (em) => {
      shop.proxy.reset()
      return await em.find(SaleEntity, {})
    })
    await expect(broken).rejects.toMatchObject(UNAVAILABLE)
  }
  expect(await shop.orm.em.fork().find(SaleEntity, {})).toEqual([])
})

/** A message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

test('a connection that the server ends in the moment in which it is lent ends no process', async () => {
  const { pool, proxy, url } = await startShop()
  proxy.cut()
  const isReady = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]
  const ending = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'))
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([...isReady, ending])))
  })
  server.listen(Number(new URL(url).port), HOST)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const client = await pool.connect()
  await expect(client.query('SELECT 1')).rejects.toThrow('connection error')
  client.release(true)
})

/** As the server says it, with a SQLSTATE. */
const raise = (sqlState: string) =>
  `DO $$ BEGIN RAISE EXCEPTION 'as the test wants it' USING ERRCODE = '${sqlState}'; END $$`

const STATEMENTS: [string, (database: Database, sql: string) => Promise<unknown>][] = [
  ['the hot pool', ({ pool }, sql) => pool.query(sql)],
  ['MikroORM', ({ orm }, sql) => orm.em.fork().execute(sql)],
]

describe.each(STATEMENTS)('what the server says to %s', (_name, execute) => {
  test.each([
    ['it ends the connection', 'SELECT pg_terminate_backend(pg_backend_pid())'],
    ['the statement takes too long, or is cancelled', 'SELECT pg_cancel_backend(pg_backend_pid())'],
    ['there are too many connections', raise('53300')],
    ['it cannot be connected to', raise('08004')],
  ])('is unavailable when %s', async (_title, sql) => {
    await expect(execute(await startShop(), sql)).rejects.toMatchObject(UNAVAILABLE)
  })

  test.each([
    ['a syntax error', 'SELEC 1', '42601'],
    ['a constraint', 'INSERT INTO shop.sale VALUES (1), (1)', '23505'],
  ])('stays a defect when it is %s', async (_title, sql, code) => {
    await expect(execute(await startShop(), sql)).rejects.toMatchObject({ code })
  })
})

test('a service without its database answers service_unavailable, and a defect stays internal_error', async () => {
  const shop = await startShop()
  const service = createTestProcess('shop')
  onTestFinished(() => service.stop())
  const rpc = { listen: { host: HOST, port: await freePort() }, secret: 'a secret of the test installation' }
  await serveRpc(service, {
    ...rpc,
    ready: () => Promise.resolve(),
    routes: (router) =>
      router.service(AccountsService, {
        async listOrganizations() {
          await shop.orm.em.fork().find(SaleEntity, {})
          return {}
        },
        async createOrganization() {
          await shop.pool.query('SELEC 1')
          return {}
        },
      }),
  })
  const client = connectRpc(service, AccountsService, { url: `http://${HOST}:${rpc.listen.port}`, secret: rpc.secret })
  await client.listOrganizations({})
  shop.proxy.cut()
  await expect(client.listOrganizations({})).rejects.toMatchObject({ code: 'service_unavailable' })
  await shop.proxy.heal()
  await expect(client.createOrganization({})).rejects.toMatchObject({ code: Code.Internal })
})

test('the server notices within 30 s that a client has vanished', async () => {
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

describe('a migration', () => {
  test('gives a server up that accepts and says nothing, and tries again', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      onTestFinished(() => void socket.destroy())
    })
    server.listen(await freePort(), HOST)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { log } = createTestProcess('shop')
    const migrated = migrate(log, `postgres://shop:secret@${HOST}:${port}/shop`, 'shop', MIGRATIONS)
    migrated.catch(() => undefined)
    await waitFor(() => expect(connections).toBeGreaterThan(1), 20_000)
  })

  test('waits for that of another replica, however long it takes', async () => {
    const url = await createEmptyDatabase()
    const other = new Client({ connectionString: url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query(`SELECT pg_advisory_lock(hashtext('platen migrate shop'))`)
    let isDone = false
    const migrated = migrate(createTestProcess('shop').log, url, 'shop', MIGRATIONS).then(() => {
      isDone = true
    })
    await waitFor(async () => {
      const { rows } = await other.query(
        `SELECT query FROM pg_stat_activity WHERE application_name = 'platen-shop-migration'`,
      )
      expect(rows).toMatchObject([{ query: expect.stringContaining('advisory_lock') }])
    })
    expect(isDone).toBe(false)
    await other.query(`SELECT pg_advisory_unlock(hashtext('platen migrate shop'))`)
    await migrated
    expect((await other.query('SELECT FROM shop.sale')).rows).toEqual([])
  })

  test('is run once, by whichever replica, and the next release runs what it has more; one before it starts all the same', async () => {
    const url = await createEmptyDatabase()
    const { log } = createTestProcess('shop')
    const client = new Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    for (const release of [MIGRATIONS, LATER_MIGRATIONS, MIGRATIONS]) {
      await Promise.all([1, 2, 3].map(() => migrate(log, url, 'shop', release)))
    }
    const { rows } = await client.query('SELECT name FROM shop.migration ORDER BY id')
    expect(rows).toEqual([{ name: '0001-shop' }, { name: '0002-visits' }])
    expect((await client.query('SELECT FROM shop.visit')).rows).toEqual([])
  })
})
