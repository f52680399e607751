import { readEnvironment } from '@platen/runtime/config.ts'
import { databaseSettings, databaseVariables, selectDatabase } from '@platen/runtime/database/settings.ts'
import { z } from 'zod'
import { createServiceRoles, SERVICE_SCHEMAS } from '../../launcher/service-roles.ts'
import { StartupError } from '../../launcher/startup-error.ts'

const { PLATEN_DATABASE_URL: url, ...others } = databaseVariables('')
const ENVIRONMENT = z.object({ ...others, PLATEN_DATABASE_ADMIN_URL: url })

/** @throws ConfigError if the URL of the service is not that of its role. */
function readPassword(service: string): string {
  const url = databaseVariables(service).PLATEN_DATABASE_URL.refine(
    ({ user, password }) => user === `platen_${service}` && password,
    `must have the user platen_* or platen_${service}, and a password`,
  )
  const env = readEnvironment(z.object({ PLATEN_DATABASE_URL: url }), selectDatabase(service))
  return String(env.PLATEN_DATABASE_URL.password)
}

/**
 * `platen-server create-roles`: creates the roles and schemas of the services in a PostgreSQL of the operator, and sets
 * their passwords. May be repeated.
 */
export async function createRoles(): Promise<string> {
  const env = readEnvironment(ENVIRONMENT)
  const passwords = new Map(SERVICE_SCHEMAS.map((service) => [service, readPassword(service)]))
  const { server } = databaseSettings({ ...env, PLATEN_DATABASE_URL: env.PLATEN_DATABASE_ADMIN_URL })
  await createServiceRoles(server, (service) => passwords.get(service) ?? '').catch((error: Error) => {
    throw new StartupError(
      `PostgreSQL refused: ${error.message}. Check PLATEN_DATABASE_ADMIN_URL and PLATEN_DATABASE_CA_FILE.`,
    )
  })
  return `The roles are ready: ${SERVICE_SCHEMAS.map((schema) => `platen_${schema}`).join(', ')}.`
}
