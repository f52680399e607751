import { create } from '@bufbuild/protobuf'
import {
  type EnrollTestComputerRequest,
  type EnrollTestComputerResponse,
  EnrollTestComputerResponseSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import { hashCredential, makeCredential } from '../agents/credential.ts'
import type { Devices } from '../devices.ts'

const ENROLL = `
INSERT INTO devices.computer AS computer (id, organization_id, mode, name, credential_sha256, created_at)
VALUES ($1, $2, 'test', 'Virtual test computer', $3, $4)
ON CONFLICT (organization_id) WHERE mode = 'test' DO UPDATE SET credential_sha256 = excluded.credential_sha256
RETURNING computer.id`

/** Keeps the computer's id over repeated calls; the credential of an earlier call stops working. */
export async function enrollTestComputer(
  devices: Devices,
  { organizationId }: EnrollTestComputerRequest,
): Promise<EnrollTestComputerResponse> {
  if (!isUuid(organizationId)) throw new ApiError('invalid_request', 'organization_id must be a UUID.')
  const credential = makeCredential()
  const { rows } = await devices.pool.query<{ id: string }>(ENROLL, [
    uuidv7(),
    organizationId,
    hashCredential(credential),
    devices.clock.now(),
  ])
  return create(EnrollTestComputerResponseSchema, { computerId: rows[0]?.id, credential })
}
