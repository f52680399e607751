/** What devices says to jobs for one computer, as short calls for tests. */
import { create } from '@bufbuild/protobuf'
import {
  AgentTrigger,
  ClaimJobsRequestSchema,
  ConfirmRemovalRequestSchema,
  EndLostAgentsRequestSchema,
  ReconcileComputerRequestSchema,
  RecordAgentUpdatesRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import type { NewJob } from '../create-job-row.ts'
import { claimJobs } from '../rpc/claim-jobs.ts'
import { confirmRemoval } from '../rpc/confirm-removal.ts'
import { endLostAgents } from '../rpc/end-lost-agents.ts'
import { reconcileComputer } from '../rpc/reconcile-computer.ts'
import { recordAgentUpdates } from '../rpc/record-agent-updates.ts'
import type { JobState } from '../states.ts'
import type { TestJobs } from './start-test-jobs.ts'

export function agentOf(jobs: TestJobs, computerId = uuidv7()) {
  const claim = (epoch: bigint, more: { claimedJobIds?: string[]; limit?: number; queuedOnly?: boolean } = {}) =>
    claimJobs(jobs, create(ClaimJobsRequestSchema, { claims: [{ computerId, epoch, limit: 100, ...more }] }))

  async function say(
    jobId: string,
    trigger: AgentTrigger,
    {
      attempt = 1,
      epoch = 1n,
      ...said
    }: { attempt?: number; epoch?: bigint; message?: string; reasons?: string[] } = {},
  ) {
    const updates = [{ jobId, computerId, trigger, attempt, epoch, ...said }]
    const answer = await recordAgentUpdates(jobs, create(RecordAgentUpdatesRequestSchema, { updates }))
    return { state: answer.results[0]?.state, granted: answer.results[0]?.granted }
  }

  return {
    computerId,
    /** @returns the jobs that the agent must remove. */
    hello: async (epoch: bigint, heldJobIds: string[] = []) =>
      (await reconcileComputer(jobs, create(ReconcileComputerRequestSchema, { computerId, epoch, heldJobIds })))
        .endedJobIds,
    /** @returns ids in the order in which they go down the stream. */
    claimIds: async (epoch: bigint, more?: Parameters<typeof claim>[1]) =>
      (await claim(epoch, more)).jobs.map(({ jobId }) => jobId),
    /** @returns the jobs that the stream must have removed. */
    removals: async (epoch: bigint) => (await claim(epoch, { limit: 0 })).removals.map(({ jobId }) => jobId),
    say,
    confirmRemoval: (jobId: string) => confirmRemoval(jobs, create(ConfirmRemovalRequestSchema, { computerId, jobId })),
    lose: (epoch: bigint) =>
      endLostAgents(jobs, create(EndLostAgentsRequestSchema, { agents: [{ computerId, epoch }] })),
    /** A job that has come as far as this, by the agent's own words. */
    async jobIn(state: JobState, facts: Partial<NewJob> = {}): Promise<string> {
      const jobId = await jobs.addJob({ computerId, ...facts })
      if (state === 'queued') return jobId
      await claim(1n)
      if (state === 'received' || state === 'printing') await say(jobId, AgentTrigger.ACKNOWLEDGE)
      if (state === 'printing') await say(jobId, AgentTrigger.PRINT)
      return jobId
    },
  }
}
