import type { InferEntity } from '@mikro-orm/core'
import { SubmissionSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { SubmissionEntity } from './entities.ts'

/** One whose time is over has ended, also before the sweep. */
export function submissionToProto(submission: InferEntity<typeof SubmissionEntity>, now: Date) {
  const { endedAt, expiresAt } = submission
  const expired = endedAt === null && expiresAt <= now && { endedAt: expiresAt, endReason: 'interrupted' as const }
  return rowToMessage(SubmissionSchema, { ...submission, ...expired })
}
