/**
 * Jobs that the server removes: they must no longer be printed. Not journaled, because the server repeats removals
 * after each hello that lists the job, before Welcome, which `jobs.resume` waits for.
 */
import { create } from '@bufbuild/protobuf'
import { ConnectRequestSchema, type Remove } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Agent } from '../agent.ts'
import type { Outcome } from '../journal/entry.ts'
import { hasEnded } from '../journal/phases.ts'
import { retry } from '../retry.ts'
import type { Tasks } from './tasks.ts'

/** The journaled outcome. The server has recorded its own end of the job. */
export const REMOVED: Outcome = { message: 'The service removed the job.', reasons: ['job-canceled-by-user'] }

export type Removals = ReturnType<typeof createRemovals>

export function createRemovals(agent: Agent, tasks: Tasks) {
  const { journal, documents, spooler, log } = agent
  const requested = new Set<string>()

  function confirm(jobId: string): void {
    requested.delete(jobId)
    agent.uplink.notify(create(ConnectRequestSchema, { message: { case: 'removed', value: { jobId } } }))
  }

  /** Retries until it succeeds. @throws when the agent stops. */
  async function removeFromSpooler(jobId: string): Promise<void> {
    await retry(agent, jobId, 'removing the job from the spooler failed', async () => {
      const { phase, spoolerJobId } = journal.get(jobId) ?? {}
      if (phase === 'released') await spooler.remove(spoolerJobId ?? '')
    })
  }

  return {
    /** Idempotent. A job that is being handed over is removed by `isRequested` and `released`. */
    remove({ jobId }: Remove): void {
      const phase = journal.get(jobId)?.phase
      if (!phase || hasEnded(phase) || phase === 'refused') confirm(jobId)
      else if (phase === 'staged' || phase === 'granted') {
        journal.move(jobId, phase, 'refused')
        log.info({ job_id: jobId }, 'job removed before it was handed over')
        tasks.start(jobId, () => documents.remove(jobId))
        confirm(jobId)
      } else if (!requested.has(jobId)) {
        requested.add(jobId)
        log.info({ job_id: jobId, phase }, 'job removed by the service: removing it from the spooler')
        if (phase === 'released') tasks.start(jobId, () => removeFromSpooler(jobId))
      }
    },

    /** Whether the job must not be released at the spooler. */
    isRequested: (jobId: string) => requested.has(jobId),

    /** Called after the release. Resolves when the job can be watched. @throws when the agent stops. */
    async released(jobId: string): Promise<void> {
      if (requested.has(jobId)) await removeFromSpooler(jobId)
    },

    /** Called when the end of the job is journaled. */
    ended(jobId: string): void {
      if (requested.has(jobId)) confirm(jobId)
    },
  }
}
