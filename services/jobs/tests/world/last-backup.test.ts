import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { readMetric } from '@platen/test/harness/metrics.ts'
import { expect, test } from 'vitest'
import { measureLastBackup, readLastBackup } from '../../limits/last-backup.ts'
import { startOwnTestJobs } from '../start-test-jobs.ts'

test('the age of the last backup is known once it is recorded as the page on backups says, on open connections, too', async () => {
  const { pool, clock } = await startOwnTestJobs()
  const { rows } = await pool.query('SELECT current_database() AS name')
  const record = (time: string) => pool.query(`ALTER DATABASE "${rows[0].name}" SET platen.last_backup = '${time}'`)
  const other = parseDatabaseUrl(await createDatabase()).database
  const own = rows[0].name
  for (const [of, setting] of [
    [`DATABASE "${other}"`, `platen.last_backup = '2026-01-31T09:30:00Z'`],
    [`ROLE CURRENT_USER IN DATABASE "${own}"`, `platen.last_backup = '2026-01-31T09:30:00Z'`],
    [`DATABASE "${own}"`, `lock_timeout = '1min'`],
  ])
    await pool.query(`ALTER ${of} SET ${setting}`)
  expect(await readLastBackup(pool)).toBeUndefined()
  const twoHoursAgo = new Date(clock.now().getTime() - 7_200_000)
  await record(twoHoursAgo.toISOString())
  expect(await readLastBackup(pool)).toEqual(twoHoursAgo)
  await readMetric('platen_backup_age_seconds') // turns metrics on
  await measureLastBackup(pool, clock)
  expect(await readMetric('platen_backup_age_seconds')).toBe(7200)
  await record('yesterday')
  await expect(readLastBackup(pool)).rejects.toThrow('platen.last_backup of the database is `yesterday`')
})
