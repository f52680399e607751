import { migrate } from '@platen/runtime/database/migrate.ts'
import { createEmptyDatabase } from '@platen/test/harness/database.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { MIGRATIONS } from '../../migrations/migrations.ts'

/** @param before the migrations that are left out at first. */
async function startMigrated(before: string) {
  const url = await createEmptyDatabase()
  const { log } = createTestProcess('devices')
  const pool = new Pool({ connectionString: url })
  onTestFinished(() => pool.end())
  const older = MIGRATIONS.filter(({ name }) => name < before)
  await migrate(log, url, 'devices', older)
  return { pool, migrateAll: () => migrate(log, url, 'devices', MIGRATIONS) }
}

test('a printer that was there before there were events is known in the state in which it was reported', async () => {
  const { pool, migrateAll } = await startMigrated('0040')
  await pool.query(`
    WITH made AS (
      INSERT INTO devices.computer (id, organization_id, mode, name, credential_sha256, created_at)
      VALUES (uuidv7(), uuidv7(), 'live', 'Front desk', '\\x00', now()) RETURNING *
    )
    INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, name, description, display_name, enabled, is_default,
      reported_state, state_detail, state_reasons, capabilities, default_options, custom_papers, created_at, updated_at)
    SELECT uuidv7(), made.id, organization_id, mode, reported.state, '', '', '', true, false, reported.state, '', '{}', '{}', '{}', '[]', now(), now()
    FROM made, unnest(ARRAY['online', 'offline']) AS reported (state)`)
  await migrateAll()
  const { rows } = await pool.query(
    'SELECT os_name, known_state, state_differs_since, sequence FROM devices.printer ORDER BY os_name',
  )
  const known = { state_differs_since: null, sequence: 0 }
  expect(rows).toEqual([
    { os_name: 'offline', known_state: 'offline', ...known },
    { os_name: 'online', known_state: 'online', ...known },
  ])
  expect((await pool.query('SELECT FROM devices.event_log')).rowCount).toBe(0)
})

test('an outbox is replaced once consumers have all of its events', async () => {
  const { pool, migrateAll } = await startMigrated('0050')
  const add = (awaiting: string) =>
    pool.query(
      `INSERT INTO devices.outbox (event_id, order_key, subject, payload, traceparent, awaiting)
       VALUES (uuidv7(), uuidv7(), 'computer.online', '{}', '', $1)`,
      [[awaiting]],
    )
  await add('devices-dispatch')
  await add('webhooks-devices')
  await expect(migrateAll()).rejects.toThrow('not delivered yet')
  await pool.query(`DELETE FROM devices.outbox WHERE awaiting = '{webhooks-devices}'`)
  await migrateAll()
  expect((await pool.query(`SELECT to_regclass('devices.outbox') AS outbox`)).rows).toEqual([{ outbox: null }])
})
