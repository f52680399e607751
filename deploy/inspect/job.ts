/** Reads a job from the schemas of the services. */
import { Client, type QueryResultRow } from 'pg'

export interface InspectedJob {
  job: QueryResultRow
  events: { id: string; sequence: number; state: string; actor: string; message: string | null; created_at: Date }[]
  /** Its entries in the event log, which are kept for some days, and the consumers that have read each entry. */
  logged: { commit_seq: string; number: string; type: string; read_by: string[] }[]
  printer: QueryResultRow | undefined
  computer: QueryResultRow | undefined
}

/** The first and last `commit_seq` of the job limit the search, because the log has no index by job. */
const LOGGED = `SELECT commit_seq, number, type,
    ARRAY(SELECT consumer FROM (SELECT 'webhooks' AS consumer, * FROM webhooks.log_cursor
      UNION ALL SELECT 'usage', * FROM usage.log_cursor) AS read
      WHERE log = 'jobs' AND (last_commit_seq, read.number) >= (commit_seq, event_log.number) ORDER BY consumer) AS read_by
  FROM jobs.event_log WHERE id = ANY($1) AND commit_seq BETWEEN $2 AND $3 ORDER BY commit_seq, number`

/** @returns undefined if the job does not exist. */
export async function readJob(databaseUrl: string, id: string): Promise<InspectedJob | undefined> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'platen-inspect' })
  await client.connect()
  try {
    // All statements read the same snapshot.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const read = async (sql: string, ...values: unknown[]) => (await client.query(sql, values)).rows
    const [job] = await read('SELECT * FROM jobs.job WHERE id = $1', id)
    if (!job) return undefined
    const events = await read(
      'SELECT id, sequence, state, actor, message, created_at FROM jobs.job_event WHERE job_id = $1 ORDER BY sequence',
      id,
    )
    const ids = events.map((event) => event.id)
    const last = BigInt(job.event_commit_seq) > 0n ? job.event_commit_seq : job.commit_seq
    const [printer] = await read('SELECT * FROM devices.printer WHERE id = $1', job.printer_id)
    const [computer] = await read('SELECT * FROM devices.computer WHERE id = $1', job.computer_id)
    return {
      job,
      events: events as InspectedJob['events'],
      logged: (await read(LOGGED, ids, job.commit_seq, last)) as InspectedJob['logged'],
      printer,
      computer,
    }
  } finally {
    await client.end()
  }
}
