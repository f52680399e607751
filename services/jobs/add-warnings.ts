import type { AgentUpdate } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Pool } from 'pg'

/** The length of all warnings of a job. */
const WARNING_MAX_CHARACTERS = 4_000

/**
 * Appends warnings of agents about dropped options to the warnings of their jobs. Skips warnings that the job already
 * has, so a repeated report changes nothing. Locks the jobs in the order of their ids, like every statement on several
 * jobs.
 */
export async function addWarnings(
  pool: Pick<Pool, 'query'>,
  updates: Pick<AgentUpdate, 'jobId' | 'computerId' | 'warnings'>[],
): Promise<void> {
  await pool.query({
    name: 'add warnings',
    text: `
WITH locked AS MATERIALIZED (
  SELECT job.id, reported.warning
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS reported (job_id, computer_id, warning)
  JOIN jobs.job ON job.id = reported.job_id AND job.computer_id = reported.computer_id
  WHERE strpos(COALESCE(job.option_warning, ''), reported.warning) = 0
  ORDER BY job.id FOR UPDATE OF job
)
UPDATE jobs.job SET option_warning = left(concat_ws(' ', job.option_warning, locked.warning), ${WARNING_MAX_CHARACTERS})
FROM locked WHERE job.id = locked.id`,
    values: [
      updates.map(({ jobId }) => jobId),
      updates.map(({ computerId }) => computerId),
      updates.map(({ warnings }) => warnings.join(' ')),
    ],
  })
}
