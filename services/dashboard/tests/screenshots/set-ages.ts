/**
 * Makes jobs and devices of the pictures as old as in operation: tests create them within seconds. Shifts each of their
 * times in the database, also in the events that they have caused. No service reads these rows meanwhile, except for
 * sweeps, whose timeouts the ages are below.
 */
import { findDatabaseUrl } from '@platen/test/api/database-url.ts'
import { Client } from 'pg'

/** The columns of a resource, by the column with its id. */
const TABLES = [
  ['jobs.job', 'id', ['created_at', 'sent_at', 'received_at', 'printing_at', 'finished_at', 'expires_at']],
  ['jobs.job_event', 'job_id', ['created_at']],
  ['devices.computer', 'id', ['created_at', 'disconnected_at', 'lost_at']],
  ['devices.printer', 'id', ['created_at', 'updated_at', 'state_differs_since']],
] as const

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** A computer that is online was just seen. */
const SET_LAST_SEEN = `
UPDATE devices.computer SET last_seen_at = last_seen_at - make_interval(mins => $2) WHERE id = $1 AND state = 'offline'`

/**
 * Numbers and order as if the jobs had been created one after the other. An index refuses equal numbers, so that they
 * pass by negative ones.
 */
const SET_ORDER = [
  `UPDATE jobs.job SET number = -ranked.rank, commit_seq = ranked.last - ranked.count + ranked.rank
   FROM (SELECT id, row_number() OVER by_age AS rank, max(commit_seq) OVER () AS last, count(*) OVER () AS count
         FROM jobs.job WHERE organization_id = $1 AND mode = 'live' WINDOW by_age AS (ORDER BY created_at)) AS ranked
   WHERE job.id = ranked.id`,
  "UPDATE jobs.job SET number = -number WHERE organization_id = $1 AND mode = 'live'",
]

/** @param minutes by which each job, printer or computer of the organization becomes older, by its id. */
export async function setAges(organizationId: string, minutes: Map<string, number>): Promise<void> {
  const client = new Client({ connectionString: await findDatabaseUrl() })
  await client.connect()
  try {
    for (const [id, age] of minutes) {
      for (const [table, key, columns] of TABLES) {
        const changes = columns.map((column) => `${column} = ${column} - make_interval(mins => $2)`)
        await client.query(`UPDATE ${table} SET ${changes.join(', ')} WHERE ${key} = $1`, [id, age])
      }
      await client.query(SET_LAST_SEEN, [id, age])
      await setAgeOfEvents(client, id, age)
    }
    for (const statement of SET_ORDER) await client.query(statement, [organizationId])
  } finally {
    await client.end()
  }
}

/** The times in a body are those of its resource. */
async function setAgeOfEvents(client: Client, id: string, age: number): Promise<void> {
  const { rows } = await client.query("SELECT id, body FROM webhooks.event WHERE body::jsonb #>> '{data,id}' = $1", [
    id,
  ])
  for (const event of rows) {
    const body = event.body.replaceAll(ISO_TIME, (time: string) =>
      new Date(Date.parse(time) - age * 60_000).toISOString(),
    )
    const set = 'body = $2, created_at = created_at - make_interval(mins => $3)'
    await client.query(`UPDATE webhooks.event SET ${set} WHERE id = $1`, [event.id, body, age])
  }
}
