/**
 * The calls of the virtual spooler, one JSON line per call in `handovers.jsonl`. A line is written by one call of the system, so a killed
 * process leaves a release either complete or absent. The log survives the process but not a power failure, which is acceptable because
 * nothing is printed.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Call {
  call: 'submit' | 'release' | 'remove'
  token: string
  spoolerJobId: string
  printer: string
  sha256: string
  sizeBytes: number
  /** ISO 8601. */
  at: string
  /** Set for a call that was rejected. */
  error?: string
}

export function openCallLog(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  const releasedAtMs = new Map<string, number>()
  const removedAtMs = new Map<string, number>()
  for (const call of readCalls(path)) addToIndex(call)

  function addToIndex({ call, spoolerJobId, at, error }: Call): void {
    if (error) return
    if (call === 'release') releasedAtMs.set(spoolerJobId, Date.parse(at))
    if (call === 'remove') removedAtMs.set(spoolerJobId, Date.parse(at))
  }

  return {
    append(call: Call): void {
      appendFileSync(path, `${JSON.stringify(call)}\n`)
      addToIndex(call)
    },

    /** Milliseconds since 1970; undefined if the job was not released. */
    releasedAtMs: (spoolerJobId: string) => releasedAtMs.get(spoolerJobId),

    /** Milliseconds since 1970; undefined if the job was not removed. */
    removedAtMs: (spoolerJobId: string) => removedAtMs.get(spoolerJobId),

    /** Deletes calls before this time. */
    purge(beforeMs: number): void {
      const calls = readCalls(path)
      const kept = calls.filter(({ at }) => Date.parse(at) >= beforeMs)
      if (kept.length === calls.length) return
      writeFileSync(`${path}.new`, kept.map((call) => `${JSON.stringify(call)}\n`).join(''))
      renameSync(`${path}.new`, path)
      releasedAtMs.clear()
      removedAtMs.clear()
      for (const call of kept) addToIndex(call)
    },
  }
}

/** All calls in the log, oldest first. */
export function readCalls(path: string): Call[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
