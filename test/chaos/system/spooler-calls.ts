/**
 * The recording spooler's memory: one JSON line for each call, written before it is obeyed. Read by the harness afterwards, and watched
 * by it for the moment of a call.
 */
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import type { SpoolerCall } from '../history.ts'

/** On disk when this returns, in one piece. */
export function appendSpoolerCall(path: string, call: SpoolerCall): void {
  appendFileSync(path, `${JSON.stringify(call)}\n`, { flush: true })
}

/** Oldest first. A line that is being written is left out. */
export function readSpoolerCalls(path: string): SpoolerCall[] {
  return existsSync(path) ? callsIn(readFileSync(path)) : []
}

/**
 * Comes back as soon as there is a call like this one that is not there now, which is before its caller has an answer or soon after.
 *
 * @param path of a record that exists.
 * @throws the signal's AbortError.
 */
export async function nextSpoolerCall(
  path: string,
  { agent, call }: Pick<SpoolerCall, 'agent' | 'call'>,
  signal: AbortSignal,
): Promise<void> {
  const knownBytes = statSync(path).size
  for await (const _ of watch(path, { signal })) {
    const calls = callsIn(readFileSync(path).subarray(knownBytes))
    if (calls.some((one) => one.agent === agent && one.call === call)) return
  }
}

function callsIn(record: Buffer): SpoolerCall[] {
  return record
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
