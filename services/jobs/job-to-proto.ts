/** Entity to proto: the only mapping of jobs on this side. */
import { JobEventSchema, JobSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { Job, JobEvent } from './entities.ts'
import { toShownState } from './shown-state.ts'

export const jobToProto = (job: Job) =>
  rowToMessage(JobSchema, job, {
    ...toShownState(job),
    discardsDocument: !job.retain,
    expireAfter: job.expireAfterSeconds,
    // The size of an image that is not converted is no size of a document.
    fileSize: typeof job.fileSizeBytes === 'number' && job.fileSha256 ? BigInt(job.fileSizeBytes) : undefined,
  })

export const jobEventToProto = (event: JobEvent) => rowToMessage(JobEventSchema, event)
