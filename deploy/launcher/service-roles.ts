/**
 * The roles of the services in PostgreSQL. Each owns the schema of its service and has no other right, so that an
 * injected statement can neither read another schema nor act on the machine. Called by the launcher at each start, as
 * the owner of the cluster.
 */
import { untimedConnection } from '@platen/runtime/database/connection-settings.ts'
import { Client, type ClientConfig } from 'pg'

/** The services with a schema. */
export const SERVICE_SCHEMAS = ['accounts', 'jobs', 'devices', 'usage', 'webhooks']

/**
 * Creates missing roles and schemas. Objects that another role owns become those of the service: earlier releases
 * created all schemas as the owner of the cluster.
 *
 * @param server with the owner of the cluster as user. @param getPassword of the role of a service, which is changed if
 *   it differs.
 */
export async function createServiceRoles(
  server: ClientConfig,
  getPassword: (service: string) => string,
): Promise<void> {
  const client = new Client({ ...server, ...untimedConnection('platen-roles') })
  await client.connect()
  try {
    await client.query('BEGIN')
    for (const schema of SERVICE_SCHEMAS) {
      const role = `platen_${schema}`
      const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
      const verb = rows.length === 0 ? 'CREATE' : 'ALTER'
      await client.query(`${verb} ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(getPassword(schema))}`)
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
      const changes = await client.query<{ statement: string }>(listChangesOfOwner(schema, role))
      for (const { statement } of changes.rows) await client.query(statement)
    }
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

/** Statements that change owners. A sequence that belongs to a column follows its table, so tables are first. */
const listChangesOfOwner = (schema: string, role: string) => `
  SELECT format('ALTER SCHEMA %I OWNER TO ${role}', nspname) AS statement
  FROM pg_namespace WHERE nspname = '${schema}' AND nspowner <> '${role}'::regrole
  UNION ALL
  (SELECT format('ALTER TABLE %s OWNER TO ${role}', pg_class.oid::regclass)
  FROM pg_class
  WHERE relnamespace = '${schema}'::regnamespace AND relowner <> '${role}'::regrole AND relkind IN ('r', 'p', 'S')
  ORDER BY relkind = 'S')
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO ${role}', pg_proc.oid::regprocedure)
  FROM pg_proc WHERE pronamespace = '${schema}'::regnamespace AND proowner <> '${role}'::regrole`

/** @returns the `PLATEN_DATABASE_URL` of all services, in which `*` stands for the name of the service. */
export function toServiceUrl(url: string, password: string): string {
  return Object.assign(new URL(url), { username: 'platen_*', password }).href
}
