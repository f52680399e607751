import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Backoff, pauseMs } from './backoff.ts'

interface RetryContext {
  log: Logger
  stopping: AbortSignal
  timings: { backoff: Backoff }
}

/**
 * Repeats an operation with backoff until it succeeds, for example while the spooler does not respond or the disk is
 * full.
 *
 * @param message log message of a failed attempt.
 * @throws when the agent stops.
 */
export async function retry(
  { log, stopping, timings }: RetryContext,
  jobId: string,
  message: string,
  operation: () => void | Promise<void>,
): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      return await operation()
    } catch (error) {
      stopping.throwIfAborted()
      log.warn({ err: error, job_id: jobId }, `${message}, retrying`)
      await sleep(pauseMs(failures, timings.backoff), undefined, { signal: stopping })
    }
  }
}

/**
 * Repeats a write to the journal, with what the caller knows about the job: the spooler may not know it any more.
 *
 * @throws when the agent stops.
 */
export const record = (agent: RetryContext, jobId: string, write: () => void): Promise<void> =>
  retry(agent, jobId, 'journaling the state of the job failed', write)
