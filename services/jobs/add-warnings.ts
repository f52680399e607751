import type { AgentUpdate } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Pool } from 'pg'

/** Of all that `stateMessage` may tell of dropped options. */
const WARNING_MAX_CHARACTERS = 4_000

/**
 * Adds what agents tell of dropped options behind what the job is warned of already. What it says already is not added again, so
 * that a repeated report changes nothing. Locks the jobs in the order of their ids, as every statement on several jobs does.
 */
export async function addWarnings(
  pool: Pick<Pool, 'query'>,
  updates: Pick<AgentUpdate, 'jobId' | 'computerId' | 'warnings'>[],
): Promise<void> {
  await pool.query({
    name: 'add warnings',
    text: `
WITH locked AS MATERIALIZED (
  SELECT job.id, warned.warning
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS warned (job_id, computer_id, warning)
  JOIN jobs.job ON job.id = warned.job_id AND job.computer_id = warned.computer_id
  WHERE strpos(COALESCE(job.option_warning, ''), warned.warning) = 0
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
