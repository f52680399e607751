/** Entity to proto: the only mapping on this side. */
import type { InferEntity } from '@mikro-orm/core'
import { JobEventSchema, JobSchema, SubmissionSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { Job, JobEvent, SubmissionEntity } from './entities.ts'
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

/** A submission whose time is over has ended, also before the sweep. */
export function submissionToProto(
  submission: Omit<InferEntity<typeof SubmissionEntity>, 'organizationId' | 'mode' | 'createdBy'>,
  now: Date,
) {
  const { endedAt, expiresAt } = submission
  const expired = endedAt === null && expiresAt <= now && { endedAt: expiresAt, endReason: 'interrupted' as const }
  return rowToMessage(SubmissionSchema, { ...submission, ...expired })
}
