import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { getTestAuthority } from '@platen/agent/tests/tls-front.ts'
import { MIGRATIONS } from '@platen/jobs/migrations/migrations.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { createDatabase, createEmptyDatabase } from '@platen/test/harness/database.ts'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServiceRoles, SERVICE_SCHEMAS, toServiceUrl } from '../../launcher/service-roles.ts'

const ROOT = join(import.meta.dirname, '../../..')
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

/** SQLSTATE. */
const INVALID_PASSWORD = '28P01'
/** SQLSTATE insufficient_privilege. */
const REFUSED = '42501'

async function runPlaten(args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['deploy/commands/platen-server.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, output, errors }
}

test('`platen-server create-roles` verifies the server by PLATEN_DATABASE_CA_FILE, like the services', async () => {
  const url = await createEmptyDatabase()
  const env = { PLATEN_DATABASE_ADMIN_URL: url, PLATEN_DATABASE_URL: toServiceUrl(url, PASSWORD) }
  expect(await runPlaten(['create-roles'], env)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/platen_jobs/),
  })
  const { caFile } = getTestAuthority()
  expect(await runPlaten(['create-roles'], { ...env, PLATEN_DATABASE_CA_FILE: caFile })).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^PostgreSQL refused: The server does not support SSL.*PLATEN_DATABASE_CA_FILE\.\n$/),
  })
})

test('each role gets the password of its own URL, also a role that exists, and `platen-server migrate` uses these URLs', async () => {
  const url = await createEmptyDatabase()
  await createServiceRoles(parseDatabaseUrl(url), () => PASSWORD)
  const urls = SERVICE_SCHEMAS.map((service): [string, string] => [
    `PLATEN_DATABASE_URL_${service.toUpperCase()}`,
    toServiceUrl(url, `of ${service}`).replace('*', service),
  ])
  const env = { PLATEN_DATABASE_URL: undefined, ...Object.fromEntries(urls) }
  expect(await runPlaten(['create-roles'], { ...env, PLATEN_DATABASE_ADMIN_URL: url })).toMatchObject({ code: 0 })
  expect(await runPlaten(['migrate'], env)).toMatchObject({ code: 0 })
  const client = new Client({ connectionString: toServiceUrl(url, 'of usage').replace('*', 'jobs') })
  await expect(client.connect()).rejects.toMatchObject({ code: INVALID_PASSWORD })
})

test('`platen-server migrate` twice at once runs each migration once', async () => {
  const url = await createEmptyDatabase()
  await createServiceRoles(parseDatabaseUrl(url), () => PASSWORD)
  const run = async (...args: string[]) => {
    const { code, output } = await runPlaten(['migrate', ...args], { PLATEN_DATABASE_URL: toServiceUrl(url, PASSWORD) })
    const lines = output.trimEnd().split('\n')
    return { code, schemas: lines.map((line) => JSON.parse(line)) }
  }
  expect(await run('--check')).toMatchObject({ code: 3, schemas: SERVICE_SCHEMAS.map((schema) => ({ schema })) })
  const runs = await Promise.all([run(), run()])
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
  const migrated = runs.flatMap(({ schemas }) => schemas.flatMap(({ schema, migrated }) => migrated.map(() => schema)))
  expect(new Set(migrated).size).toBe(SERVICE_SCHEMAS.length)
  expect((await run('--check')).code).toBe(0)
})

describe.each([
  ['a new', createEmptyDatabase],
  ['an existing', createDatabase],
])('in %s installation', (_, create) => {
  test('the role of each service owns its schema, and can read no other one and nothing of the machine', async () => {
    const url = await create()
    await createServiceRoles(parseDatabaseUrl(url), () => PASSWORD)
    await createServiceRoles(parseDatabaseUrl(url), () => PASSWORD)
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
    await createServiceRoles(parseDatabaseUrl(url), () => PASSWORD)
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
