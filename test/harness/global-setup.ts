/**
 * Starts one PostgreSQL server for all projects of a run. Each test has its own databases. Prints the server versions.
 */
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { chooseSources } from './choose-servers.ts'
import { createMigrated } from './migrated.ts'
import { askNatsVersion, askPostgresVersion } from './server-versions.ts'
import { loadServers, type ServerSource, type TestPostgres } from './servers.ts'
import { waitFor } from './wait-for.ts'

export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('postgresUrl' in vitest.getProvidedContext()) return undefined
  const { source, postgres } = await startFirst(await chooseSources())
  vitest.provide('serverSource', source)
  vitest.provide('postgresUrl', postgres.url)
  vitest.provide('migratedDatabase', await createMigrated(postgres.url))
  return () => postgres.stop()
}

/** Tries the next source with a message if an engine answers but cannot pull the images. */
async function startFirst([source, ...others]: ServerSource[]): Promise<{
  source: ServerSource
  postgres: TestPostgres
}> {
  if (!source) throw new Error('No test servers can be started.')
  try {
    return { source, postgres: await startFrom(source) }
  } catch (error) {
    if (others.length === 0) throw error
    console.log(
      `tested on ${others[0]} servers, since ${source} failed: ${error instanceof Error ? error.message : error}`,
    )
    return await startFirst(others)
  }
}

async function startFrom(source: ServerSource): Promise<TestPostgres> {
  const { startPostgres, startNats, origin } = await loadServers(source)
  const nats = await startNats()
  const natsVersion = await waitFor(() => askNatsVersion(nats.url)).finally(() => nats.stop())
  const postgres = await startPostgres()
  await neverSync(postgres.url)
  const version = await askPostgresVersion(postgres.url)
  console.log(`tested on PostgreSQL ${version} (${origin.postgres}), nats-server ${natsVersion} (${origin.nats})`)
  return postgres
}

/** Makes databases cheap. Only a power failure would lose data. */
async function neverSync(postgresUrl: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query('ALTER SYSTEM SET fsync = off')
    await client.query('SELECT pg_reload_conf()')
  } finally {
    await client.end()
  }
}
