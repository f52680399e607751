import { create } from '@bufbuild/protobuf'
import {
  type DeleteEnrollmentRequest,
  type DeleteEnrollmentResponse,
  DeleteEnrollmentResponseSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Devices } from '../devices.ts'
import { EnrollmentEntity } from '../entities.ts'

/**
 * The row lock serializes this with enrolments by the token: one that comes later finds no token.
 *
 * @throws ApiError `not_found`, also the second time and in test mode, which has no tokens.
 */
export async function deleteEnrollment(
  { orm }: Devices,
  { organizationId, mode, enrollmentId }: DeleteEnrollmentRequest,
): Promise<DeleteEnrollmentResponse> {
  const where = { id: enrollmentId, organizationId }
  const deleted = mode === 'live' ? await orm.em.fork().nativeDelete(EnrollmentEntity, where) : 0
  if (deleted === 0) throw new ApiError('not_found', 'There is no enrolment token with this id.')
  return create(DeleteEnrollmentResponseSchema)
}
