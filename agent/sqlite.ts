/**
 * SQLite files that one process opens at a time and that survive a power failure. Used by the journal and by the jobs
 * of network printers.
 */
import { closeSync, fdatasync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

const sync = promisify(fdatasync)

/**
 * Opens a database with an exclusive lock. The commits of `prepare` are synced; later commits are synced by
 * `createSync`.
 *
 * @param prepare creates or upgrades the tables.
 */
export function openExclusively(path: string, prepare: (database: DatabaseSync) => void): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    prepare(database)
    database.exec('PRAGMA synchronous = NORMAL')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Adds the columns that the table does not have. The version of the file stays, because the release before must open it
 * and ignores them.
 *
 * @param columns types by name.
 */
export function addColumns(database: DatabaseSync, table: string, columns: Record<string, string>): void {
  const existing = database.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  for (const [name, type] of Object.entries(columns))
    if (!existing.some((column) => column.name === name))
      database.exec(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`)
}

/**
 * Syncs committed transactions outside of SQLite. With `synchronous = FULL` each commit blocks the agent for 1 to 7 ms;
 * this sync blocks nothing and concurrent callers share it. It is sufficient, because in WAL mode with
 * `synchronous = NORMAL` everything that is not yet synced is in the write-ahead log.
 *
 * @param databasePath of an open database in WAL mode.
 */
export function createSync(databasePath: string) {
  const log = openSync(`${databasePath}-wal`, 'r+')
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  async function syncAfter(previous: Promise<void>): Promise<void> {
    await Promise.allSettled([previous])
    next = undefined
    running = sync(log)
    await running
  }

  return {
    /** Resolves when everything committed before this call is on disk. A sync that is already running may miss it. */
    durable(): Promise<void> {
      next ??= syncAfter(running)
      return next
    },

    close: () => closeSync(log),
  }
}
