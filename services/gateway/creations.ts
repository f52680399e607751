/** Collects the creations of all requests into calls to jobs, each of which is one statement there. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CreationResult, Job, JobCreationSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import type { Gateway } from './gateway.ts'
import { required } from './required.ts'

const CREATIONS_MAX = 50
/** Of documents, titles and options: half of what a call may have. */
const CREATIONS_MAX_BYTES = 512 * 1024
/** What a creation has beside its document, at most. */
const FIELDS_BYTES = 8 * 1024

/** While jobs hangs each call takes 5 s. With those, the answer comes before clients commonly give up (30 s). */
const BEGINS_WITHIN_MS = 20_000

/** A creation with its ids and its document. */
type Creation = MessageInitShape<typeof JobCreationSchema> & { jobId: string; organizationId: string }

export interface CreatedJob {
  job: Job
  /** It was made by an earlier request with the same key. */
  replayed: boolean
}

/** @returns the call to create a job. Throws what jobs refuses it with; ApiError `service_unavailable` when its turn does not come in time. */
export function createCreations({ jobs }: Pick<Gateway, 'jobs'>): (creation: Creation) => Promise<CreatedJob> {
  const create = createBatches<Creation, CreationResult>({
    maxItems: CREATIONS_MAX,
    maxBytes: CREATIONS_MAX_BYTES,
    getBytes: ({ document }) =>
      FIELDS_BYTES + (document?.case === 'stored' ? (document.value.content?.length ?? 0) : 0),
    getOwner: ({ organizationId }) => organizationId,
    getKey: ({ jobId }) => jobId,
    waitMaxMs: BEGINS_WITHIN_MS,
    async run(creations) {
      const { results } = await jobs.createJobs({ creations })
      return new Map(creations.map(({ jobId }, n) => [jobId, required(results[n])]))
    },
  })
  return async (creation) => {
    const { result, replayed } = await create(creation)
    if (result.case === 'job') return { job: result.value, replayed }
    const { code, message, retryAfterSeconds } = required(result.value)
    throw new ApiError(code as ErrorCode, message, { retryAfterSeconds })
  }
}
