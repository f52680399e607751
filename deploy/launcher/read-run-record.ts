/** Reads `run.json`, which `run-record.ts` writes. */
import { z } from 'zod'
import { readJson } from './private-file.ts'
import { identify } from './process-identity.ts'

const RUN_RECORD = z.object({
  /** The process of the launcher. */
  pid: z.number(),
  /** Pids by name: `postgres`, `nats-server`, `platen`. */
  processes: z.record(z.string(), z.number()),
  ports: z.record(z.string(), z.number()),
  /** The URL of the operations port. An earlier release has none. */
  opsUrl: z.string().optional(),
  /** The identities by pid. See `process-identity.ts`. */
  identities: z.record(z.string(), z.string()),
})

export type RunRecord = z.infer<typeof RUN_RECORD>

/** Whether the process that was recorded with this pid is running. */
export function isAlive(record: RunRecord, pid: number): boolean {
  const identity = identify(pid)
  return identity !== undefined && identity === record.identities[pid]
}

/** @returns undefined if no installation has run. */
export async function readRunRecord(file: string): Promise<RunRecord | undefined> {
  const stored = await readJson(file)
  return stored === undefined ? undefined : RUN_RECORD.parse(stored)
}
