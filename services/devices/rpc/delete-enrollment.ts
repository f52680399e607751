import type { DeleteEnrollmentRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Devices } from '../devices.ts'
import { EnrollmentEntity } from '../entities.ts'

/**
 * Revokes an enrolment token. The row lock serializes it with enrolments by the token; later ones find no token.
 *
 * @throws ApiError `not_found`, also if it was revoked before, and in test mode, which has no tokens.
 */
export async function deleteEnrollment(
  { orm }: Devices,
  { organizationId, mode, enrollmentId }: DeleteEnrollmentRequest,
) {
  const where = { id: enrollmentId, organizationId }
  const deleted = mode === 'live' ? await orm.em.fork().nativeDelete(EnrollmentEntity, where) : 0
  if (deleted === 0) throw new ApiError('not_found', 'There is no enrolment token with this id.')
  return {}
}
