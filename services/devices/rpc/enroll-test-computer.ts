import type { EnrollTestComputerRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import { hashCredential, makeCredential } from '../agents/credential.ts'
import type { Devices } from '../devices.ts'
import { TEST_COMPUTER_NAME } from '../test-computer.ts'

/** Locks the lease against a takeover, so that the newest credential is always that of the holder. */
const ENROLL = `
WITH lease AS (
  SELECT FROM devices.test_computers_lease WHERE holder_id = $5 AND expires_at > $4 FOR SHARE
)
INSERT INTO devices.computer AS computer (id, organization_id, mode, name, credential_sha256, created_at)
SELECT $1::uuid, $2::uuid, 'test', '${TEST_COMPUTER_NAME}', $3::bytea, $4::timestamptz
WHERE $5::uuid IS NULL OR EXISTS (SELECT FROM lease)
ON CONFLICT (organization_id) WHERE mode = 'test'
DO UPDATE SET credential_sha256 = excluded.credential_sha256, run_id = ''
RETURNING computer.id`

/**
 * Repeated calls keep the id of the computer. Each call revokes the previous credential.
 *
 * @throws ApiError `forbidden` if the holder has lost the lease.
 */
export async function enrollTestComputer(devices: Devices, { organizationId, holderId }: EnrollTestComputerRequest) {
  if (!isUuid(organizationId)) throw new ApiError('invalid_request', '`organization_id` must be a UUID.')
  const credential = makeCredential()
  const { rows } = await devices.pool.query<{ id: string }>(ENROLL, [
    uuidv7(),
    organizationId,
    hashCredential(credential),
    devices.clock.now(),
    holderId,
  ])
  if (!rows[0])
    throw new ApiError('forbidden', 'Another process has the lease of the test computers. Request the lease again.')
  return { computerId: rows[0].id, credential }
}
