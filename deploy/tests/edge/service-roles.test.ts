import { MIGRATIONS } from '@platen/jobs/migrations/migrations.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { createDatabase, createEmptyDatabase } from '@platen/test/harness/database.ts'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServiceRoles, SERVICE_SCHEMAS, toServiceUrl } from '../../service-roles.ts'

const PASSWORD = 'of the services, only while testing'

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function readRefusal(client: Client, statement: string): Promise<string> {
  return await client.query(statement).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )
}

/** SQLSTATE insufficient_privilege. */
const REFUSED = '42501'

describe.each([
  ['a new', createEmptyDatabase],
  ['an existing', createDatabase],
])('in %s installation', (_, create) => {
  test('the role of each service owns its schema, and can read no other one and nothing of the machine', async () => {
    const url = await create()
    await createServiceRoles(url, PASSWORD)
    await createServiceRoles(url, PASSWORD)
    for (const schema of SERVICE_SCHEMAS) {
      const client = await connect(toServiceUrl(url, PASSWORD).replace('*', schema))
      await client.query(`CREATE TABLE ${schema}.added (id int)`)
      const { rows } = await client.query('SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user')
      expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false }])
      const others = SERVICE_SCHEMAS.filter((other) => other !== schema)
      for (const other of others) expect(await readRefusal(client, `TABLE ${other}.migration`)).toBe(REFUSED)
      for (const statement of [
        `COPY ${schema}.added TO PROGRAM 'true'`,
        'CREATE ROLE another',
        'CREATE SCHEMA another',
        `SELECT pg_read_file('postgresql.conf')`,
      ])
        expect(await readRefusal(client, statement)).toBe(REFUSED)
      await client.query(`DROP TABLE ${schema}.added`)
    }
  })

  test('a service migrates its schema, of which it owns every table, sequence and function', async () => {
    const url = await create()
    await createServiceRoles(url, PASSWORD)
    const all = toServiceUrl(url, PASSWORD)
    const later = [...MIGRATIONS, { name: '9999', statements: ['ALTER TABLE jobs.job ADD COLUMN later int'] }]
    await migrate(createLogger('test', 'silent'), parseDatabaseUrl(all, 'jobs'), 'jobs', later)
    const client = await connect(all.replace('*', 'jobs'))
    const { rows } = await client.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'jobs'::regnamespace AND relowner <> 'platen_jobs'::regrole
       UNION ALL
       SELECT proname FROM pg_proc WHERE pronamespace = 'jobs'::regnamespace AND proowner <> 'platen_jobs'::regrole`,
    )
    expect(rows).toEqual([])
  })
})
