/**
 * Writes `run.json`: the running processes of the installation, for operators, tests and the next start after a crash.
 */
import { rmSync } from 'node:fs'
import { writePrivateJson } from './private-file.ts'
import { identify } from './process-identity.ts'
import type { RunRecord } from './read-run-record.ts'

/** After a failed write, for example on a full disk. */
const RETRY_MS = 5_000

export interface OpenRunRecord {
  /** A failed write is repeated later. */
  setPid(name: string, pid: number): void
  /** Call it after all processes have ended. */
  close(): void
}

/** @throws Error if the file cannot be written. */
export function openRunRecord(file: string, addresses: Pick<RunRecord, 'ports' | 'opsUrl'>): OpenRunRecord {
  const record: RunRecord = { pid: process.pid, processes: {}, ...addresses, identities: {} }
  const write = () => {
    const pids = [record.pid, ...Object.values(record.processes)]
    record.identities = Object.fromEntries(pids.map((pid) => [pid, identify(pid) ?? 'ended']))
    writePrivateJson(file, record)
  }
  let retry: NodeJS.Timeout | undefined
  const update = () => {
    clearTimeout(retry)
    try {
      write()
    } catch {
      // The next start needs only the processes that still run, and those of a killed launcher end by themselves.
      retry = setTimeout(update, RETRY_MS).unref()
    }
  }
  write()
  return {
    setPid(name, pid) {
      record.processes[name] = pid
      update()
    },
    close() {
      clearTimeout(retry)
      rmSync(file)
    },
  }
}
