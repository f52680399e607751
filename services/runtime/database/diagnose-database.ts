import { escapeIdentifier, type Pool } from 'pg'

const FACTS = (schema: string) => `
SELECT current_setting('server_version') AS "serverVersion",
  (SELECT system_identifier::text FROM pg_control_system()) AS "systemIdentifier",
  COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS tls,
  current_setting('max_connections')::int AS "maxConnections",
  (SELECT max(name) FROM ${escapeIdentifier(schema)}.migration) AS "appliedMigration"`

interface Facts {
  serverVersion: string
  systemIdentifier: string
  tls: boolean
  maxConnections: number
  appliedMigration: string
}

/** The server and the schema as the service sees them. @throws ApiError `service_unavailable` */
export async function diagnoseDatabase(pool: Pool, schema: string): Promise<Facts | undefined> {
  const { rows } = await pool.query<Facts>(FACTS(schema))
  return rows[0]
}
