import type { EnrollTestComputerRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import { hashCredential, makeCredential } from '../agents/credential.ts'
import type { Devices } from '../devices.ts'
import { TEST_COMPUTER_NAME } from '../test-computer.ts'

/** Whoever takes the lease over waits for this, so that none but the holder's credential can be the newest. */
const ENROLL = `
WITH lease AS (
  SELECT FROM devices.test_computers_lease WHERE holder_id = $5 AND expires_at > $4 FOR SHARE
)
INSERT INTO devices.computer AS computer (id, organization_id, mode, name, credential_sha256, created_at)
SELECT $1::uuid, $2::uuid, 'test', '${TEST_COMPUTER_NAME}', $3::bytea, $4::timestamptz WHERE $5::uuid IS NULL OR EXISTS (SELECT FROM lease)
ON CONFLICT (organization_id) WHERE mode = 'test' DO UPDATE SET credential_sha256 = excluded.credential_sha256
RETURNING computer.id`

/**
 * Keeps the computer's id over repeated calls; the credential of an earlier call stops working.
 *
 * @throws ApiError `forbidden` for a holder who has the lease no more.
 */
export async function enrollTestComputer(devices: Devices, { organizationId, holderId }: EnrollTestComputerRequest) {
  if (!isUuid(organizationId)) throw new ApiError('invalid_request', 'organization_id must be a UUID.')
  const credential = makeCredential()
  const { rows } = await devices.pool.query<{ id: string }>(ENROLL, [
    uuidv7(),
    organizationId,
    hashCredential(credential),
    devices.clock.now(),
    holderId,
  ])
  if (!rows[0]) throw new ApiError('forbidden', 'Another process plays the test computers by now: ask for the lease.')
  return { computerId: rows[0].id, credential }
}
