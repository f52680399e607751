/** Records the job updates of the agents of this replica, with many updates in one call. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { AgentUpdateResult, AgentUpdateSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import type { Devices } from '../devices.ts'

const UPDATES_MAX = 100

type AgentUpdate = MessageInitShape<typeof AgentUpdateSchema> & { jobId: string }

export interface AgentUpdates {
  /** @throws ApiError `service_unavailable`. The agent then repeats its message. */
  record(update: AgentUpdate): Promise<AgentUpdateResult>
}

export function createAgentUpdates(jobs: Devices['jobs']): AgentUpdates {
  return {
    record: createBatches<AgentUpdate, AgentUpdateResult>({
      maxItems: UPDATES_MAX,
      getKey: ({ jobId }) => jobId,
      getOwner: ({ computerId }) => computerId ?? '',
      async run(updates) {
        const { results } = await jobs.recordAgentUpdates({ updates })
        return new Map(results.map((result) => [result.jobId, result]))
      },
    }),
  }
}
