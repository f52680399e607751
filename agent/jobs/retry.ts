import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { pauseMs } from '../backoff.ts'

/**
 * Repeats a spooler operation with backoff until it succeeds.
 *
 * @param message log message of a failed attempt.
 * @throws when the agent stops.
 */
export async function retry(
  agent: Agent,
  jobId: string,
  message: string,
  operation: () => Promise<void>,
): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      return await operation()
    } catch (error) {
      agent.stopping.throwIfAborted()
      agent.log.warn({ err: error, job_id: jobId }, `${message}, retrying`)
      await sleep(pauseMs(failures, agent.timings.backoff), undefined, { signal: agent.stopping })
    }
  }
}
