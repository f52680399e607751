import { Client } from 'pg'

/**
 * Turns a test computer that has not connected yet into a live one, so that its agent prints live jobs. Past the services, for who
 * wants live jobs and not the enrolment of computers.
 */
export async function makeLive(databaseUrl: string, computerId: string): Promise<void> {
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    await database.query(`UPDATE devices.computer SET mode = 'live' WHERE id = $1`, [computerId])
  } finally {
    await database.end()
  }
}
