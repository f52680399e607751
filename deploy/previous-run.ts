/**
 * Makes sure that the data directory is nobody else's. After a `kill -9` of the launcher its processes end by themselves; the next
 * start waits for the last of them, since two PostgreSQL servers must not share one directory.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readJson } from './private-file.ts'
import { signalProcess } from './process-identity.ts'
import { isAlive, RUN_RECORD, type RunRecord } from './run-record.ts'
import { StartupError } from './startup-error.ts'

/** Longer than PostgreSQL's shutdown checkpoint and a service's drain (8 s) take. */
const END_LIMIT_MS = 12_000
const KILL_LIMIT_MS = 5_000
const CHECK_EVERY_MS = 20

/** @throws StartupError when the installation is running, or what is left of it cannot be ended. */
export async function endPreviousRun(
  runFile: string,
  say: (line: string) => void,
  stopping?: AbortSignal,
): Promise<void> {
  const kept = await readJson(runFile)
  if (kept === undefined) return
  const record = RUN_RECORD.parse(kept)
  if (isAlive(record, record.pid))
    throw new StartupError(
      `Platen is already running on this data directory (process ${record.pid}): stop it first, or choose another with PLATEN_DATA_DIR.`,
    )
  if (remains(record).length === 0) return
  say('Waiting for the last processes of the previous run …')
  if (await untilGone(record, END_LIMIT_MS, stopping)) return
  for (const [, pid] of remains(record)) signalProcess(pid, record.identities[pid] ?? '', 'SIGKILL')
  if (await untilGone(record, KILL_LIMIT_MS, stopping)) return
  const left = remains(record).map(([name, pid]) => `${name} (process ${pid})`)
  throw new StartupError(`Of the previous run there is still ${left.join(', ')}: end it, then start again.`)
}

function remains(record: RunRecord): [name: string, pid: number][] {
  return Object.entries(record.processes).filter(([, pid]) => isAlive(record, pid))
}

async function untilGone(record: RunRecord, limitMs: number, stopping?: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + limitMs
  while (remains(record).length > 0) {
    if (performance.now() > deadline) return false
    await sleep(CHECK_EVERY_MS, undefined, { signal: stopping })
  }
  return true
}
