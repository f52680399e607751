/** Records the job updates of the agents of this replica, with many updates in one call. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { AgentUpdateResult, AgentUpdateSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { WAITING_MESSAGES_MAX } from '@platen/resources/limits.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import type { Devices } from '../devices.ts'

/** The first update after an idle time is recorded at once. */
const BATCH_EVERY_MS = 15
const UPDATES_MAX = 100
/** A quarter of what a call can contain. */
const UPDATES_MAX_BYTES = 256 * 1024
/** Ids, trigger and 20 reasons. */
const UPDATE_BYTES = 2_000
/** The size of a UTF-16 unit. */
const UNIT_MAX_BYTES = 3

type AgentUpdate = MessageInitShape<typeof AgentUpdateSchema> & { jobId: string; organizationId: string }

export interface AgentUpdates {
  /** @throws ApiError `service_unavailable`, also as `BatchesFull`. The agent then repeats its message. */
  record(update: AgentUpdate): Promise<AgentUpdateResult>
}

export function createAgentUpdates(jobs: Devices['jobs']): AgentUpdates {
  return {
    record: createBatches<AgentUpdate, AgentUpdateResult>({
      everyMs: BATCH_EVERY_MS,
      maxItems: UPDATES_MAX,
      maxBytes: UPDATES_MAX_BYTES,
      getBytes,
      getKey: ({ jobId }) => jobId,
      getOwner: ({ organizationId }) => organizationId,
      waitingMax: WAITING_MESSAGES_MAX,
      async run(updates) {
        const { results } = await jobs.recordAgentUpdates({ updates })
        return new Map(results.map((result) => [result.jobId, result]))
      },
    }),
  }
}

/** An upper bound. */
function getBytes({ message = '', warnings = [] }: AgentUpdate): number {
  const units = warnings.reduce((sum, { length }) => sum + length, message.length)
  return UPDATE_BYTES + units * UNIT_MAX_BYTES
}
