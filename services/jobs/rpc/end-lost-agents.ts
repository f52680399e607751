import type { EndLostAgentsRequest, LostAgent } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { type ChangeSource, changeStates } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'

const BATCH = 500

const MESSAGE =
  'The agent of the computer has been away for too long after it had received the job. The job may have been printed; it is not printed again by itself.'

/** No stream has these epochs, so whatever the lost ones still say of permissions is refused. A hello that was said since is left alone. */
const RAISE_FENCES = `
INSERT INTO jobs.computer_fence AS fence (computer_id, epoch)
SELECT computer_id, epoch FROM jsonb_to_recordset($1) AS lost (computer_id uuid, epoch bigint) ORDER BY computer_id
ON CONFLICT (computer_id) DO UPDATE SET epoch = excluded.epoch WHERE fence.epoch < excluded.epoch`

/** Holds the fences meanwhile: a hello either comes first, and then nothing ends here, or finds the jobs ended. */
const RECEIVED = `
SELECT job.id AS job_id, 'fail' AS trigger, 'system' AS actor, $3 AS message, $3 AS state_message,
  ARRAY['agent-lost'] AS state_reasons, NULL::uuid AS computer_id, NULL::int AS attempt, NULL::bigint AS epoch, NULL AS traceparent
FROM jsonb_to_recordset($2) AS lost (computer_id uuid, epoch bigint)
JOIN jobs.computer_fence AS fence USING (computer_id, epoch)
JOIN jobs.job USING (computer_id)
WHERE job.final_state IS NULL AND job.state IN ('received', 'printing')
ORDER BY job.id LIMIT ${BATCH} FOR UPDATE OF job FOR SHARE OF fence`

/**
 * Ends the jobs of agents that do not come back. What such an agent was sent and has not received is left to the resends and to its
 * expiry. Should it come back after all, its hello is told which of its jobs have ended.
 */
export async function endLostAgents(jobs: Jobs, { agents }: EndLostAgentsRequest) {
  const lost = JSON.stringify(agents.map(rowOf))
  await jobs.pool.query(RAISE_FENCES, [lost])
  const source: ChangeSource = { name: 'end of lost agents', sql: RECEIVED, values: [lost, MESSAGE] }
  let found: number
  do {
    const ended = await changeStates(jobs.pool, source, jobs.clock.now())
    found = ended.length
    if (found > 0) jobs.eventsAdded()
  } while (found === BATCH)
  return {}
}

const rowOf = ({ computerId, epoch }: LostAgent) => ({ computer_id: computerId, epoch: epoch.toString() })
