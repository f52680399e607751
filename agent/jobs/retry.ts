import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { pauseMs } from '../backoff.ts'

/**
 * Repeats a spooler operation with backoff until it succeeds.
 *
 * @param failed log message of a failed attempt.
 * @throws when the agent stops.
 */
export async function retry(agent: Agent, jobId: string, failed: string, ask: () => Promise<void>): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask()
    } catch (error) {
      agent.stopping.throwIfAborted()
      agent.log.warn({ err: error, job_id: jobId }, `${failed}, retrying`)
      await sleep(pauseMs(failures, agent.timings.backoff), undefined, { signal: agent.stopping })
    }
  }
}
