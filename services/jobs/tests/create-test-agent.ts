/** What devices requests of jobs for one computer. */
import { create } from '@bufbuild/protobuf'
import {
  AgentTrigger,
  ClaimJobsRequestSchema,
  ConfirmRemovalRequestSchema,
  EndLostAgentsRequestSchema,
  ReconcileComputerRequestSchema,
  RecordAgentUpdatesRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { JobState } from '@platen/resources/job-states.ts'
import { v7 as uuidv7 } from 'uuid'
import type { NewJob } from '../create-jobs.ts'
import { claimJobs } from '../rpc/claim-jobs.ts'
import { confirmRemoval } from '../rpc/confirm-removal.ts'
import { endLostAgents } from '../rpc/end-lost-agents.ts'
import { reconcileComputer } from '../rpc/reconcile-computer.ts'
import { recordAgentUpdates } from '../rpc/record-agent-updates.ts'
import type { TestJobs } from './start-test-jobs.ts'

interface Claimed {
  claimedJobIds?: string[]
  blockedPrinterIds?: string[]
  limit?: number
  queuedOnly?: boolean
}

interface ReportFacts {
  attempt?: number
  epoch?: bigint
  message?: string
  reasons?: string[]
  confirmedBy?: string
  printed?: number
  warnings?: string[]
}

export function createTestAgent(jobs: TestJobs, computerId = uuidv7()) {
  const claim = (epoch: bigint, claimed: Claimed = {}) =>
    claimJobs(jobs, create(ClaimJobsRequestSchema, { claims: [{ computerId, epoch, limit: 100, ...claimed }] }))

  async function reportAll(jobIds: string[], trigger: AgentTrigger, facts: ReportFacts = {}) {
    const updates = jobIds.map((jobId) => ({ jobId, computerId, trigger, attempt: 1, epoch: 1n, ...facts }))
    return (await recordAgentUpdates(jobs, create(RecordAgentUpdatesRequestSchema, { updates }))).results
  }

  async function report(jobId: string, trigger: AgentTrigger, facts?: ReportFacts) {
    const [result] = await reportAll([jobId], trigger, facts)
    return { state: result?.state, granted: result?.granted }
  }

  const addJob = (facts: Partial<NewJob> = {}) => jobs.addJob({ computerId, ...facts })

  return {
    computerId,
    addJob,
    async addJobs(count: number): Promise<string[]> {
      const ids: string[] = []
      for (let n = 0; n < count; n++) ids.push(await addJob())
      return ids
    },
    /** @returns the jobs that the agent must remove. */
    hello: async (epoch: bigint, heldJobIds: string[] = [], isShared = false) =>
      (
        await reconcileComputer(
          jobs,
          create(ReconcileComputerRequestSchema, { computerId, epoch, heldJobIds, isShared }),
        )
      ).endedJobIds,
    claim: async (epoch: bigint, claimed?: Claimed) =>
      (await claim(epoch, claimed)).jobs.map(({ jobId, attempt }) => ({ jobId, attempt })),
    /** @returns ids in the order in which they go down the stream. */
    claimIds: async (epoch: bigint, claimed?: Claimed) => (await claim(epoch, claimed)).jobs.map(({ jobId }) => jobId),
    claimContentTypes: async (epoch: bigint) => (await claim(epoch)).jobs.map(({ contentType }) => contentType),
    claimSecondsLeft: async (epoch: bigint) =>
      (await claim(epoch)).jobs.map(({ secondsUntilExpiry }) => secondsUntilExpiry),
    claimQueuedMs: async (epoch: bigint) => (await claim(epoch)).jobs.map(({ queuedMs }) => queuedMs),
    /** @returns which of the claimed jobs are no longer `sent`. */
    over: async (epoch: bigint, claimedJobIds: string[]) =>
      (await claim(epoch, { claimedJobIds, limit: 0 })).overJobIds,
    /** @returns the jobs that the stream must have removed. */
    removals: async (epoch: bigint) => (await claim(epoch, { limit: 0 })).removals.map(({ jobId }) => jobId),
    report,
    reportAll,
    confirmRemoval: (jobId: string) => confirmRemoval(jobs, create(ConfirmRemovalRequestSchema, { computerId, jobId })),
    lose: (epoch: bigint) =>
      endLostAgents(jobs, create(EndLostAgentsRequestSchema, { agents: [{ computerId, epoch }] })),
    /** A job in this state by reports of its agent. */
    async jobIn(state: JobState, facts: Partial<NewJob> = {}): Promise<string> {
      const jobId = await addJob(facts)
      if (state === 'queued') return jobId
      await claim(1n)
      if (state === 'received' || state === 'printing') await report(jobId, AgentTrigger.ACKNOWLEDGE)
      if (state === 'printing') await report(jobId, AgentTrigger.PRINT)
      return jobId
    },
  }
}
