import { defineEntity, p } from '@mikro-orm/core'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { startTlsPostgres } from '@platen/test/harness/tls-postgres.ts'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readEnvironment } from '../../config.ts'
import { openDatabase } from '../../database/database.ts'
import { createPartitionedTable, sweepPartitions } from '../../database/partitions.ts'
import { databaseSettings, databaseVariables, parseDatabaseUrl } from '../../database/settings.ts'

const SaleEntity = defineEntity({ name: 'Sale', tableName: 'sale', properties: { id: p.integer().primary() } })
const OF_CONNECTION =
  'SELECT ssl, application_name FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE pid = pg_backend_pid()'

test('every connection uses TLS with a server that requires it, and a certificate of another CA or name is refused', async () => {
  const { url, caFile, stop } = await startTlsPostgres()
  onTestFinished(stop)
  const env = { PLATEN_DATABASE_URL: url, PLATEN_DATABASE_CA_FILE: caFile }
  const settings = databaseSettings(readEnvironment(z.object(databaseVariables('shop')), env))
  const service = createTestProcess('shop')
  const migrations = [
    {
      name: '0001-shop',
      statements: [
        'CREATE TABLE shop.sale (id int PRIMARY KEY)',
        ...createPartitionedTable('shop', 'visit', 'id uuid NOT NULL', 'id'),
        `CREATE TABLE shop.seen AS ${OF_CONNECTION}`,
      ],
    },
  ]
  const { pool, orm } = await openDatabase(service, { settings, schema: 'shop', entities: [SaleEntity], migrations })
  onTestFinished(() => service.stop())
  const tables = [{ name: 'visit', key: 'id', keptMs: 1_000 }]
  expect(
    await sweepPartitions(
      { clock: { now: () => new Date() }, log: service.log },
      { schema: 'shop', server: settings.server, tables },
    ),
  ).toBe(true)
  expect((await pool.query('SELECT * FROM shop.seen')).rows).toEqual([
    { ssl: true, application_name: 'platen-shop-migration' },
  ])
  expect((await pool.query(OF_CONNECTION)).rows).toEqual([{ ssl: true, application_name: 'platen-shop' }])
  expect(await orm.em.fork().execute(OF_CONNECTION)).toEqual([{ ssl: true, application_name: 'platen-shop' }])

  const connect = async (to: string) => {
    const client = new Client(parseDatabaseUrl(to))
    await client.connect().finally(() => client.end())
  }
  await expect(connect(url)).rejects.toThrow('no encryption')
  await expect(connect(`${url}?sslmode=verify-full`)).rejects.toThrow('certificate')
  const otherName = url.replace('127.0.0.1', 'localhost')
  await expect(connect(`${otherName}?sslmode=verify-full&sslrootcert=${caFile}`)).rejects.toThrow('altnames')
  await connect(`${otherName}?sslmode=verify-ca&sslrootcert=${caFile}`)
  await connect(`${otherName}?sslmode=require`)
})
