import type { AgentUpdate } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Pool } from 'pg'

/**
 * Says how it goes with jobs that print: that one waits for paper, or does not any more. No state changes by it, so it is no event. Locks
 * the jobs in the order of their ids, as every statement on several jobs does.
 */
export async function tellProgress(
  pool: Pick<Pool, 'query'>,
  updates: Pick<AgentUpdate, 'jobId' | 'computerId' | 'message' | 'reasons'>[],
): Promise<void> {
  await pool.query({
    name: 'tell progress',
    text: `
WITH locked AS MATERIALIZED (
  SELECT job.id, told.message, told.reasons
  FROM jsonb_to_recordset($1) AS told (job_id uuid, computer_id uuid, message text, reasons text[])
  JOIN jobs.job ON job.id = told.job_id AND job.computer_id = told.computer_id
  WHERE job.state = 'printing' ORDER BY job.id FOR UPDATE OF job
)
UPDATE jobs.job SET state_message = locked.message, state_reasons = locked.reasons FROM locked WHERE job.id = locked.id`,
    values: [
      JSON.stringify(
        updates.map(({ jobId, computerId, message, reasons }) => ({
          job_id: jobId,
          computer_id: computerId,
          message,
          reasons,
        })),
      ),
    ],
  })
}
