import type { AgentUpdate } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Pool } from 'pg'

/**
 * Updates the message and reasons of jobs that are at their computer or on their way to it, for example that a printer needs paper. The state
 * stays the same, so no event is inserted. Locks the jobs in the order of their ids, like every statement on several jobs.
 */
export async function recordProgress(
  pool: Pick<Pool, 'query'>,
  updates: Pick<AgentUpdate, 'jobId' | 'computerId' | 'message' | 'reasons'>[],
): Promise<void> {
  await pool.query({
    name: 'record progress',
    text: `
WITH locked AS MATERIALIZED (
  SELECT job.id, reported.message, reported.reasons
  FROM jsonb_to_recordset($1) AS reported (job_id uuid, computer_id uuid, message text, reasons text[])
  JOIN jobs.job ON job.id = reported.job_id AND job.computer_id = reported.computer_id
  WHERE job.state IN ('sent', 'received', 'printing') ORDER BY job.id FOR UPDATE OF job
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
