/**
 * `platen create-roles`: creates the roles and schemas of the services in a PostgreSQL of the operator. May be repeated.
 */

import { readEnvironment } from '@platen/runtime/config.ts'
import { databaseSettings, databaseVariables } from '@platen/runtime/database/settings.ts'
import { z } from 'zod'
import { runCommand } from '../run-command.ts'
import { createServiceRoles, SERVICE_SCHEMAS } from '../service-roles.ts'
import { StartupError } from '../startup-error.ts'

const VARIABLES = databaseVariables('*')
const ENVIRONMENT = z.object({
  ...VARIABLES,
  PLATEN_DATABASE_URL: VARIABLES.PLATEN_DATABASE_URL.refine(
    ({ user, password }) => user === 'platen_*' && password,
    'must have the user platen_* and a password',
  ),
  PLATEN_DATABASE_ADMIN_URL: VARIABLES.PLATEN_DATABASE_URL,
})

await runCommand(async () => {
  const env = readEnvironment(ENVIRONMENT)
  const { server } = databaseSettings({ ...env, PLATEN_DATABASE_URL: env.PLATEN_DATABASE_ADMIN_URL })
  await createServiceRoles(server, String(env.PLATEN_DATABASE_URL.password)).catch((error: Error) => {
    throw new StartupError(
      `PostgreSQL refused: ${error.message}. Check PLATEN_DATABASE_ADMIN_URL and PLATEN_DATABASE_CA_FILE.`,
    )
  })
  return `The roles are ready: ${SERVICE_SCHEMAS.map((schema) => `platen_${schema}`).join(', ')}.`
})
