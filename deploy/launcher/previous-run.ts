/**
 * Ensures exclusive use of the data directory. After a `kill -9` of the launcher, its processes end by themselves. The
 * next start waits for them, because two PostgreSQL servers must not use the same directory.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { signalProcess } from './process-identity.ts'
import { isAlive, type RunRecord, readRunRecord } from './read-run-record.ts'
import { StartupError } from './startup-error.ts'

/** Longer than the shutdown checkpoint of PostgreSQL and the drain of a service (8 s). */
const END_TIMEOUT_MS = 12_000
const KILL_TIMEOUT_MS = 5_000
const POLL_MS = 20

/** @throws StartupError if the installation is running or its processes do not end. */
export async function endPreviousRun(runFile: string): Promise<void> {
  const record = await readRunRecord(runFile)
  if (!record) return
  if (isAlive(record, record.pid))
    throw new StartupError(
      `Platen is already running in this data directory (process ${record.pid}). Stop it or choose another directory with PLATEN_DATA_DIR.`,
    )
  if (findRunning(record).length === 0) return
  console.log('Waiting for processes of the previous run …')
  if (await waitForEnd(record, END_TIMEOUT_MS)) return
  for (const [, pid] of findRunning(record)) signalProcess(pid, record.identities[pid] ?? '', 'SIGKILL')
  if (await waitForEnd(record, KILL_TIMEOUT_MS)) return
  const left = findRunning(record).map(([name, pid]) => `${name} (process ${pid})`)
  throw new StartupError(`Processes of the previous run do not end: ${left.join(', ')}. End them, then start again.`)
}

function findRunning(record: RunRecord): [name: string, pid: number][] {
  return Object.entries(record.processes).filter(([, pid]) => isAlive(record, pid))
}

async function waitForEnd(record: RunRecord, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (findRunning(record).length > 0) {
    if (performance.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}
