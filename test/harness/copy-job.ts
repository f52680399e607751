import type { Pool } from 'pg'

/** Columns that differ for each job. */
const OWN = ['id', 'accepted_order', 'commit_seq', 'number']

/**
 * Inserts copies of a job by one statement, because creating them one by one takes long.
 *
 * @param jobId of a job without events after its creation.
 */
export async function copyJob(pool: Pick<Pool, 'query'>, jobId: string, count: number): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'jobs' AND table_name = 'job'`,
  )
  const columns = rows.map(({ name }) => name).filter((name) => !OWN.includes(name))
  await pool.query(
    `WITH copied AS (
       INSERT INTO jobs.job (id, ${columns}) SELECT uuidv7(), ${columns} FROM jobs.job, generate_series(1, ${count})
       WHERE id = '${jobId}' RETURNING id, state, created_at)
     INSERT INTO jobs.job_event (id, job_id, sequence, state, actor, created_at)
     SELECT uuidv7(), id, 1, state, 'api', created_at FROM copied`,
  )
}
