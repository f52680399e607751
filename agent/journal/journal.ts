/**
 * The durable state of the agent. It prevents that a resent job prints twice and that a report is lost. Synchronous, so
 * nothing can happen between a decision and its record. Each call is one transaction, which survives a kill of the
 * process. `durable` makes it survive a power failure as well and is awaited before Received and before spooler calls.
 * Other changes that a power failure undoes are found again at the spooler and reported again.
 */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Submitted } from '../spoolers/spooler.ts'
import { createSync } from '../sqlite.ts'
import {
  type JournalEntry,
  type Outcome,
  type PendingReport,
  type PrintFacts,
  toEntry,
  toPendingReport,
} from './entry.ts'
import { openDatabase } from './open-database.ts'
import { hasEnded, NEXT_PHASES, type Phase } from './phases.ts'
import { summarize } from './summary.ts'

/**
 * One day longer than a job can wait for its computer (docs/reference/print-jobs.md#create.expireAfter.604800): a
 * resend always finds its job.
 */
const KEEP_SETTLED_MS = 8 * 24 * 60 * 60 * 1000

const STAGE = `
INSERT INTO job (id, sequence, attempt, phase, printer_os_name, title, content_type, qty, options, file_size_bytes,
  file_sha256, traceparent, expires_at, expires_at_uptime, boot_id, outcome_reasons, created_at, updated_at)
VALUES ($id, $sequence, $attempt, 'staged', $printerOsName, $title, $contentType, $qty, $options, $fileSizeBytes,
  $fileSha256, '', $expiresAtMs, $expiresAtUptimeMs, $bootId, '[]', $receivedAt, $now)
ON CONFLICT (id) DO UPDATE SET sequence = $sequence, attempt = $attempt, phase = 'staged', expires_at = $expiresAtMs,
  expires_at_uptime = $expiresAtUptimeMs, boot_id = $bootId, created_at = $receivedAt, updated_at = $now,
  settled_at = NULL
WHERE phase = 'refused'`

export type Journal = ReturnType<typeof openJournal>

/** @throws JournalInUse if another agent uses the same file. */
export function openJournal(path: string, now = Date.now) {
  const database = openDatabase(path)
  const sync = createSync(path)
  let lastSequence = Number(database.prepare('SELECT max(sequence) AS last FROM job').get()?.last ?? 0)

  const stage = database.prepare(STAGE)
  const byId = database.prepare('SELECT * FROM job WHERE id = ?')
  const unsettled = database.prepare('SELECT * FROM job WHERE settled_at IS NULL ORDER BY sequence')
  const setPhase = database.prepare(
    `UPDATE job SET phase = $to, spooler_job_id = COALESCE($spoolerJobId, spooler_job_id),
       warnings = COALESCE($warnings, warnings),
       document_warnings = COALESCE($documentWarnings, document_warnings), updated_at = $now,
       released_at = iif($to = 'released', $now, released_at),
       outcome_message = iif($reasons IS NULL, outcome_message, $message),
       outcome_reasons = COALESCE($reasons, outcome_reasons), settled_at = $settledAt,
       confirmed_by = $confirmedBy, printed = COALESCE($printed, printed)
     WHERE id = $id AND phase = $from`,
  )
  const setAttempt = database.prepare('UPDATE job SET attempt = $attempt WHERE id = $id AND attempt <= $attempt')
  const setPrinting = database.prepare('UPDATE job SET printing_at = ? WHERE id = ? AND printing_at IS NULL')
  const setOutcome = database.prepare(
    'UPDATE job SET outcome_message = ?, outcome_reasons = ?, printed = ?, updated_at = ? WHERE id = ?',
  )
  const setSettled = database.prepare('UPDATE job SET settled_at = ? WHERE id = ?')
  const addReport = database.prepare('INSERT INTO report (id, job_id, state) VALUES (?, ?, ?)')
  const firstReport = database.prepare('SELECT * FROM report WHERE job_id = ? ORDER BY sequence LIMIT 1')
  const dropReport = database.prepare('DELETE FROM report WHERE id = ?')
  const abandon = database.prepare(
    `UPDATE job SET phase = 'refused', updated_at = $now, settled_at = $now
     WHERE settled_at IS NULL AND phase IN ('staged', 'granted')`,
  )
  const purge = database.prepare('DELETE FROM job WHERE settled_at < ?')

  function transaction(work: () => void): void {
    database.exec('BEGIN IMMEDIATE')
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      // SQLite itself rolls back when the disk is full.
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  function get(id: string): JournalEntry | undefined {
    const row = byId.get(id)
    return row && toEntry(row)
  }

  function move(id: string, from: Phase, to: Phase, facts: Partial<Outcome & Submitted> = {}): void {
    if (!NEXT_PHASES[from].includes(to)) throw new Error(`A job cannot move from ${from} to ${to}.`)
    const { changes } = setPhase.run({
      id,
      from,
      to,
      spoolerJobId: facts.spoolerJobId ?? null,
      warnings: facts.warnings ? JSON.stringify(facts.warnings) : null,
      documentWarnings: facts.documentWarnings ? JSON.stringify(facts.documentWarnings) : null,
      message: facts.message ?? null,
      reasons: facts.reasons ? JSON.stringify(facts.reasons) : null,
      now: now(),
      settledAt: to === 'refused' ? now() : null,
      confirmedBy: facts.confirmedBy ?? null,
      printed: facts.printed ?? null,
    })
    if (changes !== 1) throw new Error(`Job ${id} is not in the phase ${from}.`)
  }

  function reportPrinting(id: string): void {
    if (setPrinting.run(now(), id).changes === 1) addReport.run(randomUUID(), id, 'printing')
  }

  return {
    get,

    durable: sync.durable,

    /** The position of the next Print message. */
    nextSequence: () => ++lastSequence,

    /**
     * Records a job whose document is complete and on disk, or does not fit on it. Throws if the job is known and not
     * refused.
     */
    stage(facts: PrintFacts, sequence: number): void {
      const { changes } = stage.run({
        ...{ ...facts, sequence, now: now() },
        options: JSON.stringify(facts.options),
        receivedAt: facts.receivedAt.getTime(),
      })
      if (changes !== 1) throw new Error(`Job ${facts.id} is already staged.`)
    },

    /** Moves a job to the next phase. Throws if its phase is not `from`. */
    move(id: string, from: Phase, to: Exclude<Phase, 'done' | 'error'>, facts: Partial<Submitted> = {}): void {
      move(id, from, to, to === 'refused' ? { ...facts, message: null, reasons: [] } : facts)
    },

    /** Records a resend, unless a later one is recorded. */
    setAttempt(id: string, attempt: number): void {
      setAttempt.run({ id, attempt })
    },

    /**
     * Records progress, usually at the spooler. Adds a report when the job begins to print, and whenever the reasons or
     * the number of printed labels change. A change of the message alone is reported of a waiting job: printers change
     * theirs often while they print.
     */
    progress(id: string, state: 'waiting' | 'printing', { message, reasons, printed }: Outcome): void {
      transaction(() => {
        const before = get(id)?.outcome
        const isChanged =
          !isDeepStrictEqual(before?.reasons, reasons) ||
          before?.printed !== printed ||
          (state === 'waiting' && before?.message !== message)
        if (isChanged) setOutcome.run(message, JSON.stringify(reasons), printed ?? null, now(), id)
        const begins = state === 'printing' && setPrinting.run(now(), id).changes === 1
        if (begins || isChanged) addReport.run(randomUUID(), id, state)
      })
    },

    /** Records the outcome and its reports. `done` is always preceded by `printing`. */
    finish(id: string, from: Phase, to: 'done' | 'error', outcome: Outcome): void {
      transaction(() => {
        move(id, from, to, outcome)
        if (to === 'done') reportPrinting(id)
        addReport.run(randomUUID(), id, to)
      })
    },

    /** Adds all reports of the job again, for a server that lost them. */
    reportAgain(id: string): void {
      transaction(() => {
        const entry = get(id)
        if (!entry) return
        if (entry.printingAt) addReport.run(randomUUID(), id, 'printing')
        if (hasEnded(entry.phase)) addReport.run(randomUUID(), id, entry.phase)
        setSettled.run(null, id)
      })
    },

    /** The next report of the job to send; reports of one job are sent in order. */
    nextReport(jobId: string): PendingReport | undefined {
      const row = firstReport.get(jobId)
      return row && toPendingReport(row)
    },

    confirmReport: (reportId: string) => void dropReport.run(reportId),

    /** Records that the server has confirmed the outcome. */
    settle: (id: string) => void setSettled.run(now(), id),

    /** Refuses all jobs that were not handed over, after the server ended the jobs of this computer. */
    abandon: () => void abandon.run({ now: now() }),

    /** In the order of their Print messages. */
    unsettled: () => unsettled.all().map(toEntry),

    /** For `status` and the support bundle. */
    summary: () => summarize(database),

    /** Deletes jobs that were settled 8 days ago. */
    purge: () => void purge.run(now() - KEEP_SETTLED_MS),

    close(): void {
      sync.close()
      database.close()
    },
  }
}
