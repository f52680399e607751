/**
 * The calls of the virtual spooler, one JSON line per call in `handovers.jsonl`. A line is written by one call of the
 * system, so a killed process leaves a release either complete or absent. The log survives the process but not a power
 * failure, which is acceptable because nothing is printed.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
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
  const removed = new Set<string>()
  for (const call of readCalls(path)) addToIndex(call, Math.max(0, Date.now() - Date.parse(call.at)))

  function addToIndex({ call, spoolerJobId, error }: Call, ageMs: number): void {
    if (error) return
    if (call === 'release') releasedAtMs.set(spoolerJobId, performance.now() - ageMs)
    if (call === 'remove') removed.add(spoolerJobId)
  }

  return {
    append(call: Call): void {
      const sizeBytes = existsSync(path) ? statSync(path).size : 0
      try {
        appendFileSync(path, `${JSON.stringify(call)}\n`)
      } catch (error) {
        // A full disk can accept a part of the line.
        if (existsSync(path)) truncateSync(path, sizeBytes)
        throw error
      }
      addToIndex(call, 0)
    },

    /**
     * The time by `performance.now()`; undefined if the job was not released. Only the time before the start of this
     * process is that of the wall clock.
     */
    releasedAtMs: (spoolerJobId: string) => releasedAtMs.get(spoolerJobId),

    isRemoved: (spoolerJobId: string) => removed.has(spoolerJobId),

    /** Deletes calls before this time, in milliseconds since 1970. */
    purge(beforeMs: number): void {
      const { kept = [], old = [] } = Object.groupBy(readCalls(path), ({ at }) =>
        Date.parse(at) >= beforeMs ? 'kept' : 'old',
      )
      if (old.length === 0) return
      writeFileSync(`${path}.new`, kept.map((call) => `${JSON.stringify(call)}\n`).join(''))
      renameSync(`${path}.new`, path)
      for (const { call, spoolerJobId } of old) {
        if (call === 'release') releasedAtMs.delete(spoolerJobId)
        if (call === 'remove') removed.delete(spoolerJobId)
      }
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
