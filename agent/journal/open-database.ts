/** Opens the file that the journal is kept in. */
import type { DatabaseSync } from 'node:sqlite'
import { openExclusively } from '../sqlite.ts'

/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5

/** What each version of the journal added to the one before; a file says in `user_version` which one it is. Never changed, only added to. */
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
  traceparent      TEXT NOT NULL,
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
]

/** A newer agent has worked with the journal, and this one does not know what it wrote. */
export class JournalTooNew extends Error {
  override name = 'JournalTooNew'
}

/** Another agent works with the same data directory. Two would hand the same jobs over. */
export class JournalInUse extends Error {
  override name = 'JournalInUse'
}

/**
 * Commits survive the process, however it dies; `createSync` makes them survive a power cut. The lock is held until the journal is
 * closed or the process dies. When this returns the write-ahead log exists, and its name is on disk.
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

/** Each version is one transaction: a kill in between leaves the journal as it was, or as it is to be. */
function upgrade(database: DatabaseSync, path: string): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (version > VERSIONS.length)
    throw new JournalTooNew(`The journal ${path} was written by a newer agent. Install that one, or a newer one still.`)
  for (const [index, sql] of VERSIONS.entries())
    if (index >= version) database.exec(`BEGIN; ${sql}\n PRAGMA user_version = ${index + 1}; COMMIT`)
}
