import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@platen/deploy/launcher/postgres.ts'
import { Client, Pool, type PoolConfig, type QueryResultRow } from 'pg'
import { freePort } from '../harness/free-port.ts'

/** Runs `measure` with a new PostgreSQL, which is stopped and deleted afterwards. @param measure gets its URL. */
export async function withPostgres(measure: (url: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: 'bench',
    logFile: join(directory, 'postgres.log'),
  })
  try {
    await measure(postgres.url)
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true })
  }
}

/** Runs one statement on a connection of its own. @returns its rows. */
export async function runStatement<Row extends QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return (await client.query<Row>(text).finally(() => client.end())).rows
}

/** So that later measurements do not pay for what earlier ones left behind. */
export async function cleanUp(url: string): Promise<void> {
  for (const statement of ['VACUUM ANALYZE', 'CHECKPOINT']) await runStatement(url, statement)
}

/** Runs `measure` with a new database of the server at `url`, so that its tables are small. */
export async function withDatabase<T>(url: string, name: string, measure: (url: string) => Promise<T>): Promise<T> {
  await runStatement(url, `CREATE DATABASE ${name}`)
  return await measure(Object.assign(new URL(url), { pathname: `/${name}` }).href)
}

/** For a server that is stopped after the pool: `end` does not wait until the server has closed the connections. */
export const openPool = (config: PoolConfig): Pool => new Pool(config).on('error', () => undefined)
