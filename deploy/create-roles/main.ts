/**
 * `platen create-roles`: creates the roles and schemas of the services in a PostgreSQL of the operator. May be repeated.
 */

import { readEnvironment } from '@platen/runtime/config.ts'
import { z } from 'zod'
import { runCommand } from '../run-command.ts'
import { createServiceRoles, SERVICE_SCHEMAS } from '../service-roles.ts'
import { StartupError } from '../startup-error.ts'

const ENVIRONMENT = z.object({
  PLATEN_DATABASE_ADMIN_URL: z.url(),
  PLATEN_DATABASE_URL: z.url().refine((url) => new URL(url).username === 'platen_*', 'must have the user platen_*'),
})

await runCommand(async () => {
  const env = readEnvironment(ENVIRONMENT)
  const { password } = new URL(env.PLATEN_DATABASE_URL)
  await createServiceRoles(env.PLATEN_DATABASE_ADMIN_URL, decodeURIComponent(password)).catch((error: Error) => {
    throw new StartupError(`PostgreSQL refused: ${error.message}. Check PLATEN_DATABASE_ADMIN_URL.`)
  })
  return `The roles are ready: ${SERVICE_SCHEMAS.map((schema) => `platen_${schema}`).join(', ')}.`
})
