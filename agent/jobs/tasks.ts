/** Concurrent tasks of one agent: each job, and the reports of each job. */
import type { Agent } from '../agent.ts'
import { retry } from '../retry.ts'

export type Tasks = ReturnType<typeof createTasks>

export function createTasks(agent: Pick<Agent, 'log' | 'stopping' | 'timings'>) {
  const running = new Set<Promise<void>>()

  return {
    /** @param work repeated until it succeeds or the agent stops. */
    start(jobId: string, work: () => Promise<void>): void {
      const task = retry(agent, jobId, 'a task of the job failed', work)
        .catch(() => undefined)
        .finally(() => running.delete(task))
      running.add(task)
    },

    /** Resolves when all tasks have ended. */
    async ended(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
