import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { pauseMs } from '../backoff.ts'

/**
 * Asks the spooler again until it answers, with growing pauses.
 *
 * @param failed what the log says of each time that it does not.
 * @throws when the agent stops.
 */
export async function retry(agent: Agent, jobId: string, failed: string, ask: () => Promise<void>): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask()
    } catch (error) {
      agent.stopping.throwIfAborted()
      agent.log.warn({ err: error, job_id: jobId }, `${failed}, trying again`)
      await sleep(pauseMs(failures, agent.timings.backoff), undefined, { signal: agent.stopping })
    }
  }
}
