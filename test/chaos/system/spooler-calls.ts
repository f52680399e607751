/** The recording spooler's memory: one JSON line for each call, written before it is obeyed. Read by the harness afterwards. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { SpoolerCall } from '../history.ts'

/** On disk when this returns, in one piece. */
export function appendSpoolerCall(path: string, call: SpoolerCall): void {
  appendFileSync(path, `${JSON.stringify(call)}\n`, { flush: true })
}

/** Oldest first. A line that is being written is left out. */
export function readSpoolerCalls(path: string): SpoolerCall[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
