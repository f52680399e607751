import type { EndLostAgentsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { BATCH, changeInBatches } from '../change-in-batches.ts'
import { UNFENCED } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { IS_ACTIVE } from '../states.ts'

const MESSAGE =
  'The computer was offline for too long after its agent had received the job. The job may have been printed and is not printed again automatically.'

/**
 * No stream has these epochs, so claims and acknowledgements of lost agents are refused. The fence of a newer hello
 * stays.
 */
const RAISE_FENCES = `
INSERT INTO jobs.computer_fence AS fence (computer_id, epoch)
SELECT computer_id, epoch FROM jsonb_to_recordset($1) AS lost (computer_id uuid, epoch bigint) ORDER BY computer_id
ON CONFLICT (computer_id) DO UPDATE SET epoch = excluded.epoch WHERE fence.epoch < excluded.epoch`

/**
 * Locks the fences against a concurrent hello. A hello that commits first changes the epoch, and no job ends. A later
 * one sees the ended jobs.
 */
const RECEIVED = `
SELECT job.id AS job_id, 'fail' AS trigger, 'system' AS actor, $3 AS message, $3 AS state_message,
  ARRAY['agent-lost'] AS state_reasons, ${UNFENCED}, NULL AS traceparent
FROM jsonb_to_recordset($2) AS lost (computer_id uuid, epoch bigint)
JOIN jobs.computer_fence AS fence USING (computer_id, epoch)
JOIN jobs.job USING (computer_id)
WHERE ${IS_ACTIVE} AND job.state IN ('received', 'printing')
ORDER BY job.id LIMIT ${BATCH} FOR UPDATE OF job FOR SHARE OF fence`

/**
 * Ends the received and printing jobs of lost agents. Unacknowledged jobs are resent and expire as usual. The next
 * hello of such an agent returns which of its jobs have ended.
 */
export async function endLostAgents(jobs: Jobs, { agents }: EndLostAgentsRequest) {
  const lost = JSON.stringify(
    agents.map(({ computerId, epoch }) => ({ computer_id: computerId, epoch: String(epoch) })),
  )
  await jobs.pool.query(RAISE_FENCES, [lost])
  await changeInBatches(jobs, { name: 'jobs of lost agents', sql: RECEIVED, values: [lost, MESSAGE] })
  return {}
}
