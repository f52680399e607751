/**
 * Records when the processes of a run did not run, for example because the machine was busy. Leases and deadlines end
 * meanwhile, so the checker treats a stall as a fault. Each process loads this module (`node --import`) and appends its
 * stalls to one file.
 */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type InjectedFault, STALL } from '../checker/history.ts'

const HEARTBEAT_MS = 50
/** The shortest deadline of the checker, until a finished attempt is recorded. */
const STALL_MIN_MS = 500
const FILE_VARIABLE = 'PLATEN_TEST_STALLS_FILE'

/**
 * Records the stalls of this process and of all that it starts from now on, until `started` is disposed.
 *
 * @returns a function that reads them.
 */
export function recordStalls(started: AsyncDisposableStack): () => InjectedFault[] {
  const directory = mkdtempSync(join(tmpdir(), 'platen-stalls-'))
  const file = join(directory, 'stalls.jsonl')
  const { NODE_OPTIONS: before = '' } = process.env
  process.env.NODE_OPTIONS = `${before} --import=${import.meta.url}`.trim()
  process.env[FILE_VARIABLE] = file
  const timer = appendStalls(file, 'runner')
  started.defer(() => {
    clearInterval(timer)
    process.env.NODE_OPTIONS = before
    delete process.env[FILE_VARIABLE]
    rmSync(directory, { recursive: true })
  })
  return () => {
    if (!existsSync(file)) return []
    // A kill may truncate a line.
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line))
  }
}

/** Keeps no process alive. */
function appendStalls(file: string, target: string): NodeJS.Timeout {
  let lastMs = Date.now()
  const beat = () => {
    const nowMs = Date.now()
    const stall: InjectedFault = { kind: STALL, target, startedAtMs: lastMs, endedAtMs: nowMs }
    if (nowMs - lastMs >= HEARTBEAT_MS + STALL_MIN_MS) appendFileSync(file, `${JSON.stringify(stall)}\n`)
    lastMs = nowMs
  }
  return setInterval(beat, HEARTBEAT_MS).unref()
}

const file = process.env[FILE_VARIABLE]
// For example "main.ts webhooks".
if (file) appendStalls(file, `${basename(process.argv[1] ?? '')} ${process.argv[2] ?? ''}`.trim())
