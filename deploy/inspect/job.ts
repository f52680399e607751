/** What the services' schemas hold of one job. */
import { Client, type QueryResultRow } from 'pg'

export interface InspectedJob {
  job: QueryResultRow
  events: { sequence: number; state: string; actor: string; message: string | null; created_at: Date }[]
  outbox: { subject: string; awaiting: string[]; publications: number; published_at: Date | null }[]
  printer: QueryResultRow | undefined
  computer: QueryResultRow | undefined
}

/** @returns undefined when there is no such job. */
export async function readJob(databaseUrl: string, id: string): Promise<InspectedJob | undefined> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'platen-inspect' })
  await client.connect()
  try {
    // One snapshot for all that follows, in which nothing can be written.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const read = async (sql: string, value: unknown) => (await client.query(sql, [value])).rows
    const [job] = await read('SELECT * FROM jobs.job WHERE id = $1', id)
    if (!job) return undefined
    const events =
      'SELECT sequence, state, actor, message, created_at FROM jobs.job_event WHERE job_id = $1 ORDER BY sequence'
    const outbox =
      'SELECT subject, awaiting, publications, published_at FROM jobs.outbox WHERE order_key = $1 ORDER BY id'
    const [printer] = await read('SELECT * FROM devices.printer WHERE id = $1', job.printer_id)
    const [computer] = await read('SELECT * FROM devices.computer WHERE id = $1', job.computer_id)
    return {
      job,
      events: (await read(events, id)) as InspectedJob['events'],
      outbox: (await read(outbox, id)) as InspectedJob['outbox'],
      printer,
      computer,
    }
  } finally {
    await client.end()
  }
}
