/**
 * Jobs that the server has given up: nothing of them may be printed any more. Not journaled, since the server says it again at the
 * next hello for as long as the journal holds the job, and then before Welcome, which `jobs.resume` waits for.
 */
import { create } from '@bufbuild/protobuf'
import { ConnectRequestSchema, type Remove } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Agent } from '../agent.ts'
import type { Outcome } from '../journal/entry.ts'
import { hasEnded } from '../journal/phases.ts'
import { retry } from './retry.ts'
import type { Tasks } from './tasks.ts'

/** What the journal says of it; the server has an end of its own for the job. */
export const REMOVED: Outcome = { message: 'The service has given the job up.', reasons: ['job-canceled-by-user'] }

export type Removals = ReturnType<typeof createRemovals>

export function createRemovals(agent: Agent, tasks: Tasks) {
  const { journal, documents, spooler, log } = agent
  const requested = new Set<string>()

  function confirm(jobId: string): void {
    requested.delete(jobId)
    agent.uplink.notify(create(ConnectRequestSchema, { message: { case: 'removed', value: { jobId } } }))
  }

  /** However often it takes. @throws when the agent stops. */
  async function removeFromSpooler(jobId: string): Promise<void> {
    await retry(agent, jobId, 'the job could not be removed from the spooler', async () => {
      const { phase, spoolerJobId } = journal.get(jobId) ?? {}
      if (phase === 'released') await spooler.remove(spoolerJobId ?? '')
    })
  }

  return {
    /** The server may say it more than once. What the spooler is just being told of is left to `isAsked` and `released`. */
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
        log.info({ job_id: jobId, phase }, 'the service has given the job up: removing it from the spooler')
        if (phase === 'released') tasks.start(jobId, () => removeFromSpooler(jobId))
      }
    },

    /** The job is on its way to the spooler and must not be released there. */
    isRequested: (jobId: string) => requested.has(jobId),

    /** The spooler has the job's release. Comes back when the job may be watched to its end. @throws when the agent stops. */
    async released(jobId: string): Promise<void> {
      if (requested.has(jobId)) await removeFromSpooler(jobId)
    },

    /** The job's end is journaled. */
    ended(jobId: string): void {
      if (requested.has(jobId)) confirm(jobId)
    },
  }
}
