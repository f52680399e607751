/** Summary of the journal for users: jobs and phases, without titles, options and messages. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type JournalEntry, toEntry } from './entry.ts'

const UNSETTLED_MAX = 200
const SETTLED_MAX = 100

export interface JournalSummary {
  /** Number of jobs per phase. */
  phases: Record<string, number>
  /** Number of unconfirmed reports. */
  reports: number
  /** The oldest first. */
  unsettled: JobSummary[]
  /** The newest first. */
  settled: JobSummary[]
}

export type JobSummary = ReturnType<typeof toSummary>

export function summarize(database: DatabaseSync): JournalSummary {
  const phases = database.prepare('SELECT phase, count(*) AS jobs FROM job GROUP BY phase').all()
  const reports = database.prepare('SELECT count(*) AS count FROM report').get()
  const unsettled = database.prepare('SELECT * FROM job WHERE settled_at IS NULL ORDER BY sequence LIMIT ?')
  const settled = database.prepare('SELECT * FROM job WHERE settled_at IS NOT NULL ORDER BY settled_at DESC LIMIT ?')
  return {
    phases: Object.fromEntries(phases.map(({ phase, jobs }) => [String(phase), Number(jobs)])),
    reports: Number(reports?.count),
    unsettled: unsettled.all(UNSETTLED_MAX).map((row) => toSummary(toEntry(row))),
    settled: settled.all(SETTLED_MAX).map((row) => toSummary(toEntry(row))),
  }
}

/**
 * Summary of a journal that no agent has open. Reads a copy, so that an agent can start in the meantime.
 *
 * @returns undefined if the file does not exist.
 */
export function summarizeFile(path: string): JournalSummary | undefined {
  if (!existsSync(path)) return undefined
  const dir = mkdtempSync(join(tmpdir(), 'platen-journal-'))
  try {
    for (const file of [path, `${path}-wal`]) if (existsSync(file)) copyFileSync(file, join(dir, basename(file)))
    const database = new DatabaseSync(join(dir, basename(path)))
    try {
      return summarize(database)
    } finally {
      database.close()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function toSummary(entry: JournalEntry) {
  return {
    id: entry.id,
    phase: entry.phase,
    attempt: entry.attempt,
    printer: entry.printerOsName,
    contentType: entry.contentType,
    qty: entry.qty,
    sizeBytes: entry.fileSizeBytes,
    spoolerJobId: entry.spoolerJobId,
    reasons: entry.outcome.reasons,
    createdAt: entry.receivedAt.toISOString(),
    printingAt: entry.printingAt?.toISOString() ?? null,
    settledAt: entry.settledAt?.toISOString() ?? null,
  }
}
