/** Concurrent tasks of one agent: each job, and the reports of each job. */
import type { Logger } from 'pino'

export type Tasks = ReturnType<typeof createTasks>

export function createTasks(log: Logger, stopping: AbortSignal) {
  const running = new Set<Promise<void>>()

  return {
    /** An error while the agent stops is ignored. Any other error is logged, and the job is resumed at the next start. */
    start(jobId: string, work: () => Promise<void>): void {
      const task = work()
        .catch((error: unknown) => {
          if (!stopping.aborted)
            log.error({ err: error, job_id: jobId }, 'job failed, will be resumed at the next start')
        })
        .finally(() => running.delete(task))
      running.add(task)
    },

    /** Resolves when all tasks have ended. */
    async ended(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
