import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { ListOfflineOrganizationsRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Devices } from '../devices.ts'

/** Reads `computer_away`, which has no computers whose agents were marked as lost. */
const LIST = `
SELECT DISTINCT organization_id AS id FROM devices.computer
WHERE state = 'offline' AND lost_at IS NULL AND deleted_at IS NULL AND mode = 'live' AND last_seen_at > $1
  AND last_seen_at <= $2`

export async function listOfflineOrganizations(
  { lists }: Pick<Devices, 'lists'>,
  { lastSeenAfter, lastSeenBefore }: ListOfflineOrganizationsRequest,
) {
  if (!lastSeenAfter || !lastSeenBefore) return { organizationIds: [] }
  const values = [timestampDate(lastSeenAfter), timestampDate(lastSeenBefore)]
  const { rows } = await lists.query<{ id: string }>(LIST, values)
  return { organizationIds: rows.map(({ id }) => id) }
}
