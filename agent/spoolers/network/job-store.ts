/**
 * Stores the jobs of network printers on disk. Each step that may lead to paper is stored before it is taken
 * (`durable`).
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { copyFile, link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SQLOutputValue } from 'node:sqlite'
import { addColumns, createSync, openExclusively } from '../../sqlite.ts'
import { syncOnDisk } from '../../sync-on-disk.ts'
import type { ConfirmedBy, Submission } from '../spooler.ts'

/**
 * - `held`: not printed before its release.
 * - `released`: waits for earlier jobs or for its printer. Nothing was sent.
 * - `sending`: part of it may have been sent. It returns to `released` only if this process knows that nothing was
 *   sent.
 * - `completed`, `aborted`: final.
 */
export type JobPhase = 'held' | 'released' | 'sending' | 'completed' | 'aborted'

export interface NetworkJob extends Omit<Submission, 'printerOsName' | 'file' | 'pdf'> {
  id: string
  printer: string
  phase: JobPhase
  /** The id of the job at the printer, if known. */
  deviceJob: string | null
  /** Set when the job has ended. */
  message: string
  reasons: string[]
  confirmedBy: ConfirmedBy | null
}

type Ended = Pick<NetworkJob, 'message' | 'reasons'> & {
  is: 'completed' | 'aborted'
  confirmedBy?: ConfirmedBy | null | undefined
}

/** At least as long as the journal keeps a job. */
const KEEP_ENDED_MS = 8 * 24 * 60 * 60 * 1000

const SCHEMA = `
CREATE TABLE IF NOT EXISTS job (
  id           TEXT PRIMARY KEY,
  token        TEXT NOT NULL,
  printer      TEXT NOT NULL,
  title        TEXT NOT NULL,
  content_type TEXT NOT NULL,
  qty          INTEGER NOT NULL,
  options      TEXT NOT NULL,     -- JSON object
  phase        TEXT NOT NULL,
  turn         INTEGER,           -- jobs of one printer are sent in the order of their releases
  device_job   TEXT,
  message      TEXT NOT NULL DEFAULT '',
  reasons      TEXT NOT NULL DEFAULT '[]',
  updated_at   INTEGER NOT NULL   -- milliseconds since 1970
) STRICT;
CREATE INDEX IF NOT EXISTS job_of_token ON job (token);
CREATE INDEX IF NOT EXISTS job_released ON job (printer, turn) WHERE phase IN ('released', 'sending');`

export type JobStore = ReturnType<typeof openJobStore>

/** @param dir locked by this process. @throws if another process uses it. */
export function openJobStore(dir: string) {
  const documents = join(dir, 'documents')
  mkdirSync(documents, { recursive: true, mode: 0o700 })
  const path = join(dir, 'jobs.sqlite')
  const database = openExclusively(path, (file) => {
    file.exec(`${SCHEMA} PRAGMA user_version = 1`)
    addColumns(file, 'job', { confirmed_by: 'TEXT' })
  })
  const sync = createSync(path)

  const insert = database.prepare(
    `INSERT INTO job (id, token, printer, title, content_type, qty, options, phase, updated_at)
     VALUES ($id, $token, $printer, $title, $contentType, $qty, $options, 'held', $now)`,
  )
  const byId = database.prepare('SELECT * FROM job WHERE id = ?')
  const byToken = database.prepare('SELECT * FROM job WHERE token = ? ORDER BY updated_at DESC LIMIT 1')
  const next = database.prepare(
    `SELECT * FROM job WHERE printer = ? AND phase IN ('released', 'sending') ORDER BY turn LIMIT 1`,
  )
  const withJobs = database.prepare(`SELECT DISTINCT printer FROM job WHERE phase IN ('released', 'sending')`)
  const unfinished = database.prepare(`SELECT id FROM job WHERE phase IN ('held', 'released', 'sending')`)
  const release = database.prepare(
    `UPDATE job
     SET phase = 'released', turn = (SELECT COALESCE(max(turn), 0) + 1 FROM job WHERE phase IN ('released', 'sending')),
       updated_at = $now
     WHERE id = $id AND phase = 'held'`,
  )
  const begin = database.prepare(
    `UPDATE job SET phase = 'sending', device_job = COALESCE($deviceJob, device_job), updated_at = $now
     WHERE id = $id AND phase IN ('released', 'sending')`,
  )
  const requeue = database.prepare(`UPDATE job SET phase = 'released' WHERE id = ? AND phase = 'sending'`)
  const finish = database.prepare(
    `UPDATE job SET phase = $is, message = $message, reasons = $reasons, confirmed_by = $confirmedBy, updated_at = $now
     WHERE id = $id AND phase NOT IN ('completed', 'aborted')`,
  )
  const purge = database.prepare(`DELETE FROM job WHERE phase IN ('completed', 'aborted') AND updated_at < ?`)

  const getPath = (id: string) => join(documents, id)

  // Deletes documents without a job, which a crash has left behind. A document is stored before its job.
  const openJobIds = new Set(unfinished.all().map(({ id }) => String(id)))
  for (const name of readdirSync(documents)) if (!openJobIds.has(name)) rmSync(getPath(name), { force: true })

  return {
    getPath,
    durable: sync.durable,

    /** Resolves when the document and the job are on disk. @returns the id. */
    async add({ file, printerOsName: printer, token, title, contentType, qty, options }: Submission): Promise<string> {
      const id = randomUUID()
      try {
        await linkOrCopy(file, getPath(id), documents)
        insert.run({ id, token, printer, title, contentType, qty, options: JSON.stringify(options), now: Date.now() })
      } catch (error) {
        await rm(getPath(id), { force: true })
        throw error
      }
      await sync.durable()
      return id
    },

    get: (id: string) => toJob(byId.get(id)),
    find: (token: string) => toJob(byToken.get(token)),

    /** The next job to send. */
    next: (printer: string) => toJob(next.get(printer)),

    /** The names of the printers with jobs to send. */
    printersWithJobs: () => withJobs.all().map(({ printer }) => String(printer)),

    /** @returns whether the job was held. */
    release: (id: string) => release.run({ id, now: Date.now() }).changes === 1,

    /** Records that part of the job may have been sent. */
    begin: (id: string, deviceJob?: string) => void begin.run({ id, deviceJob: deviceJob ?? null, now: Date.now() }),

    /** Records that nothing was sent. */
    requeue: (id: string) => void requeue.run(id),

    /** Resolves when the state is on disk, and deletes the document. An ended job is unchanged. */
    async finish(id: string, { is, message, reasons, confirmedBy = null }: Ended): Promise<void> {
      finish.run({ id, is, message, reasons: JSON.stringify(reasons), confirmedBy, now: Date.now() })
      await sync.durable()
      await rm(getPath(id), { force: true })
    },

    /** Deletes old ended jobs. */
    purge: () => void purge.run(Date.now() - KEEP_ENDED_MS),

    close(): void {
      sync.close()
      database.close()
    },
  }
}

/** A hard link is sufficient, because the agent never changes a document. */
async function linkOrCopy(from: string, to: string, dir: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to))
  await syncOnDisk(to)
  await syncOnDisk(dir)
}

function toJob(row: Record<string, SQLOutputValue> | undefined): NetworkJob | undefined {
  if (!row) return undefined
  return {
    id: String(row.id),
    token: String(row.token),
    printer: String(row.printer),
    title: String(row.title),
    contentType: String(row.content_type),
    qty: Number(row.qty),
    options: JSON.parse(String(row.options)),
    phase: row.phase as JobPhase,
    deviceJob: row.device_job === null ? null : String(row.device_job),
    message: String(row.message),
    reasons: JSON.parse(String(row.reasons)),
    confirmedBy: (row.confirmed_by ?? null) as ConfirmedBy | null,
  }
}
