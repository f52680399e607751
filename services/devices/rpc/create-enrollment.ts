import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CreateEnrollmentRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { hashCredential, makeEnrollmentToken } from '../agents/credential.ts'
import type { Devices } from '../devices.ts'
import { EnrollmentEntity } from '../entities.ts'

/** Only the SHA-256 of the token is stored. Reference: docs/reference/agents.md#enrolment-tokens. */
export async function createEnrollment(
  devices: Devices,
  { organizationId, maxUses, expiresInSeconds }: CreateEnrollmentRequest,
) {
  const id = uuidv7()
  const token = makeEnrollmentToken()
  const createdAt = devices.clock.now()
  const expiresAt = new Date(createdAt.getTime() + expiresInSeconds * 1000)
  const tokenSha256 = hashCredential(token)
  await devices.orm.em
    .fork()
    .insert(EnrollmentEntity, { id, organizationId, tokenSha256, maxUses, expiresAt, createdAt })
  return { id, token, maxUses, expiresAt: timestampFromDate(expiresAt) }
}
