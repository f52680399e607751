/**
 * When the last backup was made, as its program has recorded in the database:
 * docs/operations/backup.md#age-of-the-last-backup. Its setting is read from the catalog, because open connections keep
 * the value that they began with.
 */
import type { Clock } from '@platen/runtime/clock.ts'
import { backupAge } from '@platen/runtime/telemetry/metrics.ts'
import type { Pool } from 'pg'

const SETTING = 'platen.last_backup'

const READ = `
SELECT split_part(entry, '=', 2) AS time
FROM pg_db_role_setting, unnest(setconfig) AS entry
WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()) AND setrole = 0
  AND split_part(entry, '=', 1) = $1`

/**
 * @returns undefined if none is recorded.
 * @throws if what is recorded is not a time.
 */
export async function readLastBackup(pool: Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ time: string }>(READ, [SETTING])
  const [row] = rows
  if (!row) return undefined
  const time = new Date(row.time)
  if (Number.isNaN(time.getTime()))
    throw new Error(`${SETTING} of the database is \`${row.time}\`, and must be a time such as 2026-01-31T09:30:00Z`)
  return time
}

/** The metric has no value until a backup is recorded. */
export async function measureLastBackup(pool: Pool, clock: Clock): Promise<void> {
  const time = await readLastBackup(pool)
  if (time) backupAge.set(Math.max(0, clock.now().getTime() - time.getTime()) / 1000, {})
}
