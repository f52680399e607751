/**
 * Jobs that the server has given up: nothing of them may be printed any more. Not journaled, since the server says it again at the
 * next hello for as long as the journal holds the job, and then before Welcome, which `jobs.resume` waits for.
 */
import { create } from '@bufbuild/protobuf'
import { ConnectRequestSchema, type Remove } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Agent } from '../agent.ts'
import type { Outcome } from '../journal/entry.ts'
import { hasEnded } from '../journal/phases.ts'
import type { Flows } from './flows.ts'
import { insist } from './insist.ts'

/** What the journal says of it; the server has an end of its own for the job. */
export const REMOVED: Outcome = { message: 'The service has given the job up.', reasons: ['job-canceled-by-user'] }

export type Removals = ReturnType<typeof createRemovals>

export function createRemovals(agent: Agent, flows: Flows) {
  const { journal, documents, spooler, log } = agent
  const asked = new Set<string>()

  function confirm(jobId: string): void {
    asked.delete(jobId)
    agent.uplink.mention(create(ConnectRequestSchema, { message: { case: 'removed', value: { jobId } } }))
  }

  /** However often it takes. @throws when the agent stops. */
  async function removeFromSpooler(jobId: string): Promise<void> {
    await insist(agent, jobId, 'the job could not be removed from the spooler', async () => {
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
        flows.start(jobId, () => documents.remove(jobId))
        confirm(jobId)
      } else if (!asked.has(jobId)) {
        asked.add(jobId)
        log.info({ job_id: jobId, phase }, 'the service has given the job up: removing it from the spooler')
        if (phase === 'released') flows.start(jobId, () => removeFromSpooler(jobId))
      }
    },

    /** The job is on its way to the spooler and must not be released there. */
    isAsked: (jobId: string) => asked.has(jobId),

    /** The spooler has the job's release. Comes back when the job may be watched to its end. @throws when the agent stops. */
    async released(jobId: string): Promise<void> {
      if (asked.has(jobId)) await removeFromSpooler(jobId)
    },

    /** The job's end is journaled. */
    ended(jobId: string): void {
      if (asked.has(jobId)) confirm(jobId)
    },
  }
}
