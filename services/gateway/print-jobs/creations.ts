/** Collects the creations of all requests into calls to jobs, which executes one statement for each call. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CreationResult, Job, JobCreationSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../required.ts'

const CREATIONS_MAX = 50
/** Documents, titles, options and metadata: half of the limit of a call. */
const CREATIONS_MAX_BYTES = 512 * 1024
/** The largest size of a creation without its document and metadata. */
const FIELDS_BYTES = 8 * 1024

/** While jobs hangs each call takes 5 s. With this limit the response precedes the usual timeout of clients (30 s). */
const WAIT_MAX_MS = 20_000

export type Creation = MessageInitShape<typeof JobCreationSchema> & { jobId: string; organizationId: string }

export interface CreatedJob {
  job: Job
  /** Whether an earlier request with the same key created it. */
  replayed: boolean
}

/** At most so many, since a UTF-16 unit has up to 3 bytes in UTF-8. */
const countBytes = (pairs: Record<string, string>) =>
  Object.entries(pairs).reduce((sum, [key, value]) => sum + (key.length + value.length) * 3, 0)

/** @returns a function that creates a job. @throws ApiError of jobs; `service_unavailable` if it waits for too long. */
export function createCreations({ jobs }: Pick<Gateway, 'jobs'>): (creation: Creation) => Promise<CreatedJob> {
  const create = createBatches<Creation, CreationResult>({
    maxItems: CREATIONS_MAX,
    maxBytes: CREATIONS_MAX_BYTES,
    getBytes: ({ document, metadata = {} }) =>
      FIELDS_BYTES + countBytes(metadata) + (document?.case === 'stored' ? (document.value.content?.length ?? 0) : 0),
    getOwner: ({ organizationId }) => organizationId,
    getKey: ({ jobId }) => jobId,
    waitMaxMs: WAIT_MAX_MS,
    async run(creations) {
      const { results } = await jobs.createJobs({ creations })
      return new Map(creations.map(({ jobId }, n) => [jobId, required(results[n])]))
    },
  })
  return async (creation) => {
    const { result, replayed } = await create(creation)
    if (result.case === 'job') return { job: result.value, replayed }
    const { code, message, retryAfterSeconds, param } = required(result.value)
    throw new ApiError(code as ErrorCode, message, { retryAfterSeconds, param })
  }
}
