/** What the processes of an installation may do. */
import { readFileSync } from 'node:fs'
import { findRunningInstallation } from '@platen/deploy/commands/running-installation.ts'
import { SERVICE_SCHEMAS } from '@platen/deploy/launcher/service-roles.ts'
import { expect, test } from 'vitest'
import { openDatabase } from '../checker/collect.ts'
import { installation } from './installation.ts'

const { ports, secrets, processes } = await findRunningInstallation({ PLATEN_DATA_DIR: installation.dataDir })

test('every connection of a service has the role of that service, and no superuser is connected', async () => {
  const database = openDatabase(`postgres://platen:${secrets.postgresPassword}@127.0.0.1:${ports.postgres}/platen`)
  const { rows } = await database.query<{ name: string; role: string }>(
    `SELECT DISTINCT application_name AS name, usename AS role FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND application_name LIKE 'platen-%' ORDER BY 1`,
  )
  await database.end()
  const used = rows.map(({ name }) => /^platen-([a-z]+)/.exec(name)?.[1])
  expect(new Set(used)).toEqual(new Set(SERVICE_SCHEMAS))
  expect(rows.map(({ role }) => role)).toEqual(used.map((service) => `platen_${service}`))
})

test.runIf(process.platform === 'linux')('PostgreSQL is no process of root and has no capability', () => {
  const status = readFileSync(`/proc/${processes.postgres}/status`, 'utf8')
  const read = (name: string) => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)?.[1]
  expect(read('Uid')).not.toBe('0')
  expect(['CapEff', 'CapPrm', 'CapAmb'].map(read)).toEqual(Array(3).fill('0000000000000000'))
})
