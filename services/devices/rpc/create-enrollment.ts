import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CreateEnrollmentRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { hashCredential, makeEnrollmentToken } from '../agents/credential.ts'
import type { Devices } from '../devices.ts'

/** Only the SHA-256 of the token is stored. Reference: docs/reference/agents.md#enrolment-tokens. */
export async function createEnrollment(
  devices: Devices,
  { organizationId, maxUses, expiresInSeconds }: CreateEnrollmentRequest,
) {
  const id = uuidv7()
  const token = makeEnrollmentToken()
  const now = devices.clock.now()
  const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000)
  await devices.pool.query(
    `INSERT INTO devices.enrollment (id, organization_id, token_sha256, max_uses, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, organizationId, hashCredential(token), maxUses, expiresAt, now],
  )
  return { id, token, maxUses, expiresAt: timestampFromDate(expiresAt) }
}
