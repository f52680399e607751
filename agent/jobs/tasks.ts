/** What goes on side by side in one agent: each job, and each job's reports. */
import type { Logger } from 'pino'

export type Tasks = ReturnType<typeof createTasks>

export function createTasks(log: Logger, stopping: AbortSignal) {
  const running = new Set<Promise<void>>()

  return {
    /** A flow that ends because the agent stops is no failure; any other error is logged, and the job rests till the next start. */
    start(jobId: string, work: () => Promise<void>): void {
      const flow = work()
        .catch((error: unknown) => {
          if (!stopping.aborted) log.error({ err: error, job_id: jobId }, 'job stuck')
        })
        .finally(() => running.delete(flow))
      running.add(flow)
    },

    /** All have ended. */
    async ended(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
