import type { EndSubmissionRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { SubmissionEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'

/** The row lock decides between an end and the creation of the job. */
export async function endSubmission({ orm, clock }: Pick<Jobs, 'orm' | 'clock'>, request: EndSubmissionRequest) {
  const { organizationId, mode, createdBy, id, reason } = request
  const endReason = reason === 'cancelled' ? 'cancelled' : 'interrupted'
  const open = { id, organizationId, mode, createdBy, endedAt: null }
  const ended = await orm.em.fork().nativeUpdate(SubmissionEntity, open, { endedAt: clock.now(), endReason })
  return { ended: ended > 0 }
}
