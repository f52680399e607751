/** PostgreSQL for one machine: on loopback, by password, durable. Used by the launcher and by tests. */
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCluster, PLATEN, postgresEnvironment } from './create-cluster.ts'
import { asOrdinaryUser, findPostgres } from './postgres-binaries.ts'
import { commandLine } from './process-identity.ts'
import { type RunningProcess, type StartOptions, untilReady } from './running-process.ts'
import { startLeashed } from './start-leashed.ts'

/** Recovery after a crash replays up to `max_wal_size`. */
const READY_LIMIT_MS = 60_000
const CHECK_EVERY_MS = 10

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '1GB',
  random_page_cost: '1.1', // disks here are SSDs
  jit: 'off', // short statements only
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export interface PostgresOptions extends StartOptions {
  /** Made when it does not exist. */
  directory: string
  port: number
  password: string
  logFile: string
}

/** @returns once it answers, with the URL of the database `platen`, whose owner may do everything. */
export async function startPostgres(options: PostgresOptions): Promise<RunningProcess & { url: string }> {
  const { directory, port, password, logFile, stopping, onPid } = options
  stopping?.throwIfAborted()
  if (!existsSync(directory)) await createCluster(directory, password, stopping)
  await removeStalePidFile(directory)

  const { postgres } = await findPostgres()
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const running = await startLeashed({
    name: 'postgres',
    ...asOrdinaryUser(postgres, ['-D', directory, '-p', String(port), ...settings]),
    env: postgresEnvironment(),
    endSignal: 'SIGINT', // "fast": open transactions are rolled back
    logFile,
  })
  onPid?.(running.pid)
  const waiting = new AbortController()
  await untilReady(running, untilAnswering(directory, running.pid, waiting.signal), READY_LIMIT_MS, stopping).finally(
    () => waiting.abort(),
  )
  return { ...running, url: `postgres://${PLATEN}:${encodeURIComponent(password)}@127.0.0.1:${port}/${PLATEN}` }
}

/** As pg_ctl does: the eighth line of the server's pid file says how far it is. */
async function untilAnswering(directory: string, pid: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [ofPid, , , , , , , status] = readPidFile(directory)
    if (Number(ofPid) === pid && status?.trim() === 'ready') return
    await sleep(CHECK_EVERY_MS)
  }
}

/**
 * A killed server leaves its pid file, and does not start again while any process of the same user has that pid. When that is no
 * PostgreSQL on this directory, the file says nothing.
 */
async function removeStalePidFile(directory: string): Promise<void> {
  const pid = Number(readPidFile(directory)[0])
  const command = pid > 0 ? commandLine(pid) : ''
  if (command !== '' && !command.includes(directory)) await rm(join(directory, 'postmaster.pid'))
}

function readPidFile(directory: string): string[] {
  try {
    return readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
