/** PostgreSQL on loopback, with a password. Used by the launcher and by tests. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCluster, PLATEN } from './create-cluster.ts'
import { memorySettings } from './memory-settings.ts'
import { findPostgres, runIn } from './postgres-binaries.ts'
import { identify, readCommandLine, readWorkingDirectory } from './process-identity.ts'
import { type RunningProcess, type StartOptions, untilReady } from './running-process.ts'
import { startServer } from './start-server.ts'

/** Recovery after a crash replays up to `max_wal_size`. */
const READY_TIMEOUT_MS = 60_000
const POLL_MS = 10

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: String(memorySettings.connections),
  shared_buffers: memorySettings.sharedBuffers,
  max_wal_size: '1GB',
  random_page_cost: '1.1', // disks here are SSDs
  jit: 'off', // short statements only
  log_checkpoints: 'off',
  log_error_verbosity: 'terse', // the details of an error contain values of rows
  log_min_error_statement: 'panic', // as do failed statements
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export interface PostgresOptions extends StartOptions {
  /** Created if it does not exist. */
  directory: string
  port: number
  password: string
  logFile: string
}

/**
 * @returns the server when it accepts connections, with the URL of the database `platen` for the owner of the cluster.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningProcess & { url: string }> {
  const { directory, port, password, logFile, stopping } = options
  stopping?.throwIfAborted()
  if (!existsSync(directory)) await createCluster(directory, password, stopping)
  await removeStalePidFile(directory)

  const { postgres } = await findPostgres()
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const running = await startServer({
    name: 'postgres',
    command: postgres,
    ...runIn(directory, (path) => ['-D', path, '-p', String(port), ...settings]),
    endSignal: 'SIGINT', // "fast": open transactions are rolled back
    logFile,
  })
  const waiting = new AbortController()
  await untilReady(running, untilAnswering(directory, running.pid, waiting.signal), READY_TIMEOUT_MS, options).finally(
    () => waiting.abort(),
  )
  return { ...running, url: databaseUrl(port, password) }
}

export const databaseUrl = (port: number, password: string): string =>
  `postgres://${PLATEN}:${encodeURIComponent(password)}@127.0.0.1:${port}/${PLATEN}`

/** The eighth line of the pid file contains the status, which pg_ctl also reads. */
async function untilAnswering(directory: string, pid: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [recordedPid, , , , , , , status] = readPidFile(directory)
    if (Number(recordedPid) === pid && status?.trim() === 'ready') return
    await sleep(POLL_MS)
  }
}

/**
 * Removes the pid file of a killed server if the pid is that of a zombie or of another program. PostgreSQL would not
 * start while any process of the same user has that pid. Processes of the killed server that still run are found by
 * their shared memory.
 */
async function removeStalePidFile(directory: string): Promise<void> {
  const pid = Number(readPidFile(directory)[0])
  if (pid > 0 && !isServing(pid, directory)) await rm(join(directory, 'postmaster.pid'))
}

/** PostgreSQL runs in its data directory. As `nobody`, it does not have the path on its command line. */
function isServing(pid: number, directory: string): boolean {
  if (identify(pid) === undefined) return false
  if (process.platform !== 'linux') return readCommandLine(pid).includes(directory)
  return readWorkingDirectory(pid) === realpathSync(directory)
}

function readPidFile(directory: string): string[] {
  try {
    return readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
