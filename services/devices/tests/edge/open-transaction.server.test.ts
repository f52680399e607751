import { newOrganization } from '@platen/test/harness/organization.ts'
import { untilSettled } from '@platen/test/harness/until-settled.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'

test('a list of printers from the oldest ends before the oldest open transaction, so that a poller misses none; newest first does not [convention.cursor.polling]', async () => {
  const world = await startOwnWorld()
  const organization = await newOrganization(world)
  const { id: organizationId } = organization
  const { computerId } = await organization.addPrinter()
  const listed = async (ascending: boolean) => {
    const { printers } = await world.devices.listPrinters({ organizationId, mode: 'live', page: { ascending } })
    return printers.map(({ osName }) => osName)
  }
  await untilSettled(world.pool)
  const slow = new Client({ connectionString: world.databaseUrl })
  await slow.connect()
  await slow.query('BEGIN')
  // As a report of printers does it.
  await slow.query(
    `INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, name, description, display_name, enabled,
       is_default, reported_state, state_detail, state_reasons, capabilities, default_options, custom_papers, created_at, updated_at)
     VALUES ($1, $2, $3, 'live', 'Slow', 'Slow', '', 'Slow', true, false, 'online', '', '{}', '{}', '{}', '[]', now(), now())`,
    [uuidv7(), computerId, organizationId],
  )
  await organization.addPrinter('live', { computerId, name: 'Fast' })
  expect([await listed(true), await listed(false)]).toEqual([['Laser'], ['Fast', 'Laser']])
  await slow.query('COMMIT')
  await slow.end()
  await untilSettled(world.pool)
  expect([await listed(true), await listed(false)]).toEqual([
    ['Laser', 'Slow', 'Fast'],
    ['Fast', 'Slow', 'Laser'],
  ])
})
