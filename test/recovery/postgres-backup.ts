/**
 * Base backups, WAL archive and standbys of the PostgreSQL of `npm start`, which has neither pg_basebackup nor psql.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgres, giveToPostgres, runIn } from '@platen/deploy/launcher/postgres-binaries.ts'
import type { RunningProcess } from '@platen/deploy/launcher/running-process.ts'
import { startServer } from '@platen/deploy/launcher/start-server.ts'
import { Client } from 'pg'
import { waitFor } from '../harness/wait-for.ts'

/** @returns the rows. */
export async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  // A server that is killed meanwhile.
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<Row>(sql).finally(() => client.end())
  return rows
}

/**
 * Uses more transaction numbers than a run after the restore, so that cursors of lost rows stay ahead of the numbers
 * that are used again.
 */
export const useTransactionNumbers = (url: string) =>
  query(url, 'DO $$ BEGIN FOR n IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$')

/** Settings for the next start of the server. @param archive an empty directory. */
export async function archiveWal(url: string, archive: string): Promise<void> {
  giveToPostgres(archive)
  await query(url, `ALTER SYSTEM SET archive_mode = on`)
  await query(url, `ALTER SYSTEM SET archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`)
}

/** Copies a running server. @param into is created. */
export async function backUp(url: string, directory: string, into: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('platen', fast => true)`)
    copyLiveFiles(directory, into)
    for (const name of readdirSync(join(into, 'pg_wal'))) rmSync(join(into, 'pg_wal', name), { recursive: true })
    rmSync(join(into, 'postmaster.pid'))
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()')
    addFile(into, 'backup_label', rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
}

/**
 * Files may change and disappear while they are copied; the WAL repairs that. Keeps owner and mode, which PostgreSQL
 * requires.
 */
function copyLiveFiles(from: string, into: string): void {
  try {
    execFileSync('cp', ['-a', from, into], { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer }
    const lines = String(stderr).trim().split('\n')
    if (!lines.every((line) => line.includes('No such file or directory'))) throw error
  }
}

function addFile(directory: string, name: string, content: string): void {
  writeFileSync(join(directory, name), content, { mode: 0o600 })
  giveToPostgres(join(directory, name))
}

/** Waits until the archive has all WAL until now. */
export async function finishArchive(url: string): Promise<void> {
  const [last] = await query<{ name: string }>(url, 'SELECT pg_walfile_name(pg_switch_wal()) AS name')
  await waitFor(async () => {
    const [archived] = await query<{ name: string | null }>(
      url,
      'SELECT last_archived_wal AS name FROM pg_stat_archiver',
    )
    if ((archived?.name ?? '') < (last?.name ?? '')) throw new Error('the archive is not complete')
  })
}

/** The server recovers to this time at its next start, and then accepts writes. */
export function recoverTo(directory: string, time: string, archive: string): void {
  appendFileSync(
    join(directory, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'
recovery_target_time = '${time}'
recovery_target_action = promote
`,
  )
  addFile(directory, 'recovery.signal', '')
}

/** Starts a backup as an asynchronous streaming standby. @returns when it has connected to the primary. */
export async function startStandby(
  primaryUrl: string,
  { directory, port, logFile }: { directory: string; port: number; logFile: string },
): Promise<RunningProcess & { url: string }> {
  const { username, password, port: primaryPort } = new URL(primaryUrl)
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${username} password=${decodeURIComponent(password)} application_name=standby`,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  appendFileSync(join(directory, 'postgresql.auto.conf'), lines.join(''))
  addFile(directory, 'standby.signal', '')
  const { postgres } = await findPostgres()
  const server = await startServer({
    name: 'standby',
    command: postgres,
    ...runIn(directory, (path) => ['-D', path]),
    endSignal: 'SIGINT',
    logFile,
  })
  const url = Object.assign(new URL(primaryUrl), { port: String(port) }).href
  await waitFor(async () => {
    const rows = await query(primaryUrl, `SELECT FROM pg_stat_replication WHERE state = 'streaming'`)
    if (rows.length === 0) throw new Error('the standby does not stream')
    await query(url, 'SELECT')
  })
  return { ...server, url }
}

/** The standby receives nothing from now on. */
export async function stopReceiving(url: string): Promise<void> {
  await query(url, `ALTER SYSTEM SET primary_conninfo = ''`)
  await query(url, 'SELECT pg_reload_conf()')
  await waitFor(async () => {
    if ((await query(url, 'SELECT FROM pg_stat_wal_receiver')).length > 0) throw new Error('the standby still receives')
  })
}
