import type { ExtendSubmissionRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { SubmissionEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { WAIT_MS } from './create-submission.ts'

/** A gateway extends it more often than that. */
const EXTENDED_MS = 2 * WAIT_MS

export async function extendSubmission({ orm, clock }: Pick<Jobs, 'orm' | 'clock'>, request: ExtendSubmissionRequest) {
  const { organizationId, mode, createdBy, id } = request
  const now = clock.now()
  const open = { id, organizationId, mode, createdBy, endedAt: null, expiresAt: { $gt: now } }
  const expiresAt = new Date(now.getTime() + EXTENDED_MS)
  return { isOpen: (await orm.em.fork().nativeUpdate(SubmissionEntity, open, { expiresAt })) > 0 }
}
