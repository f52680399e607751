/** Opens and upgrades the journal file. */
import type { DatabaseSync } from 'node:sqlite'
import { addColumns, openExclusively } from '../sqlite.ts'

/** The result code of SQLite for a file that another process has locked. */
const SQLITE_BUSY = 5

/** Schema changes by version; `user_version` is the version of a file. Append only. */
const VERSIONS = [
  `
CREATE TABLE IF NOT EXISTS job (
  id               TEXT PRIMARY KEY,
  sequence         INTEGER NOT NULL,  -- the order of the Print messages
  attempt          INTEGER NOT NULL,
  phase            TEXT NOT NULL,
  printer_os_name  TEXT NOT NULL,
  title            TEXT NOT NULL,
  content_type     TEXT NOT NULL,
  qty              INTEGER NOT NULL,
  options          TEXT NOT NULL,     -- JSON object
  file_size_bytes  INTEGER NOT NULL,
  file_sha256      TEXT NOT NULL,
  traceparent      TEXT NOT NULL,     -- empty: no longer used
  spooler_job_id   TEXT,
  printing_at      INTEGER,           -- times are milliseconds since 1970
  outcome_message  TEXT,
  outcome_reasons  TEXT NOT NULL,     -- JSON array of keywords
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  settled_at       INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS job_unsettled ON job (sequence) WHERE settled_at IS NULL;
CREATE TABLE IF NOT EXISTS report (
  sequence INTEGER PRIMARY KEY,
  id       TEXT NOT NULL UNIQUE,
  job_id   TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  state    TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS report_of_job ON report (job_id, sequence);`,
  `ALTER TABLE job ADD COLUMN warnings TEXT NOT NULL DEFAULT '[]'; -- JSON array of sentences`,
  `ALTER TABLE job ADD COLUMN expires_at INTEGER;
ALTER TABLE job ADD COLUMN expires_at_uptime INTEGER; -- milliseconds since the start of the computer`,
]

/** Columns that were added without a new version: see `addColumns`. */
const ADDED_COLUMNS = {
  /** The boot of `expires_at_uptime`. */
  boot_id: `TEXT NOT NULL DEFAULT ''`,
  released_at: 'INTEGER',
  /** JSON array of `DocumentWarning`. */
  document_warnings: `TEXT NOT NULL DEFAULT '[]'`,
  confirmed_by: 'TEXT',
  /** How many labels or copies the printer says are printed. */
  printed: 'INTEGER',
}

/** The journal was written by a newer agent. */
export class JournalTooNew extends Error {
  override name = 'JournalTooNew'
}

/** Another agent uses the same data directory. Two agents would print the same jobs. */
export class JournalInUse extends Error {
  override name = 'JournalInUse'
}

/**
 * Commits survive the process, even if it is killed; `createSync` makes them survive a power failure. The lock is held
 * until the journal is closed or the process dies. When this returns the write-ahead log exists, and its name is on
 * disk.
 *
 * @throws JournalInUse
 * @throws JournalTooNew
 */
export function openDatabase(path: string): DatabaseSync {
  try {
    return openExclusively(path, (database) => upgrade(database, path))
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)
      throw new JournalInUse(`Another agent is using the journal ${path}.`, { cause: error })
    throw error
  }
}

/** Each version is one transaction. */
function upgrade(database: DatabaseSync, path: string): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (version > VERSIONS.length)
    throw new JournalTooNew(`The journal ${path} was written by a newer agent. Install that version or a newer one.`)
  for (const [index, sql] of VERSIONS.entries())
    if (index >= version) database.exec(`BEGIN; ${sql}\n PRAGMA user_version = ${index + 1}; COMMIT`)
  addColumns(database, 'job', ADDED_COLUMNS)
}
