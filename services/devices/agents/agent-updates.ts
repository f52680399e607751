/**
 * Collects what the agents of this replica say of their jobs and records it in batches: one call and one statement for many
 * updates carry 2.5 times the whole system (DESIGN, "Speed"). Never one job twice in a batch.
 */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { AgentUpdateResult, AgentUpdateSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Devices } from '../devices.ts'

const BATCH_MS = 4
const BATCH_SIZE = 100

type AgentUpdate = MessageInitShape<typeof AgentUpdateSchema> & { jobId: string }

interface Waiting {
  update: AgentUpdate
  resolve(result: AgentUpdateResult): void
  reject(error: unknown): void
}

export interface AgentUpdates {
  /** @throws ApiError `service_unavailable`; the agent then repeats what it said. */
  record(update: AgentUpdate): Promise<AgentUpdateResult>
}

export function createAgentUpdates(jobs: Devices['jobs']): AgentUpdates {
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = new Map<string, Waiting>()
    const later: Waiting[] = []
    for (const item of waiting) {
      if (batch.size >= BATCH_SIZE || batch.has(item.update.jobId)) later.push(item)
      else batch.set(item.update.jobId, item)
    }
    waiting = later
    if (later.length > 0) timer = setTimeout(flush, BATCH_MS)
    try {
      const { results } = await jobs.recordAgentUpdates({ updates: [...batch.values()].map(({ update }) => update) })
      for (const result of results) batch.get(result.jobId)?.resolve(result)
    } catch (error) {
      for (const { reject } of batch.values()) reject(error)
    }
  }

  return {
    record: (update) =>
      new Promise((resolve, reject) => {
        waiting.push({ update, resolve, reject })
        if (waiting.length === BATCH_SIZE) void flush()
        else timer ??= setTimeout(flush, BATCH_MS)
      }),
  }
}
