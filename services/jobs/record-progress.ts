import type { AgentUpdate } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from './jobs.ts'

/**
 * Updates the message and reasons of jobs that are at their computer or on their way to it, for example that a printer
 * needs paper. The state stays the same, so no event is inserted. A label or copy more than before begins the time anew
 * that a job has to print. Locks the jobs in the order of their ids, like every statement on several jobs.
 */
export async function recordProgress(
  { pool, clock }: Pick<Jobs, 'pool' | 'clock'>,
  updates: Pick<AgentUpdate, 'jobId' | 'computerId' | 'message' | 'reasons' | 'printed'>[],
): Promise<void> {
  await pool.query({
    name: 'record progress',
    text: `
WITH locked AS MATERIALIZED (
  SELECT job.id, reported.message, reported.reasons, reported.printed
  FROM jsonb_to_recordset($1) AS reported (job_id uuid, computer_id uuid, message text, reasons text[], printed int)
  JOIN jobs.job ON job.id = reported.job_id AND job.computer_id = reported.computer_id
  WHERE job.state IN ('sent', 'received', 'printing') ORDER BY job.id FOR UPDATE OF job
)
UPDATE jobs.job SET state_message = locked.message, state_reasons = locked.reasons,
  progress_at = CASE WHEN locked.printed > COALESCE(job.printed, 0) THEN $2 ELSE job.progress_at END,
  printed = GREATEST(job.printed, locked.printed)
FROM locked WHERE job.id = locked.id`,
    values: [
      JSON.stringify(
        updates.map(({ jobId, computerId, message, reasons, printed }) => ({
          job_id: jobId,
          computer_id: computerId,
          message,
          reasons,
          printed,
        })),
      ),
      clock.now(),
    ],
  })
}
