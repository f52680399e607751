import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { waitFor } from './wait-for.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server that all test files share. */
    postgresUrl: string
  }
}

/** An empty database for one test, on the server that the run started. */
export async function createDatabase(): Promise<string> {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`
  const url = new URL(inject('postgresUrl'))
  await administer(url, `CREATE DATABASE ${name}`)
  onTestFinished(() => drop(url, name))
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** A pool that has ended may still be closing its connections. To cut one then would be an error that nobody listens for. */
async function drop(url: URL, name: string): Promise<void> {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  const sessions = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = '${name}' AND backend_type = 'client backend'`
  await waitFor(async () => {
    const { rows } = await client.query<{ open: number }>(sessions)
    if (rows[0]?.open !== 0) throw new Error(`${rows[0]?.open} connections to ${name} are open`)
  }).finally(() => client.end())
  await administer(url, `DROP DATABASE ${name}`)
}

async function administer(url: URL, statement: string): Promise<void> {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
