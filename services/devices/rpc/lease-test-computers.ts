import type { LeaseTestComputersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Devices } from '../devices.ts'

/** Three renewals: as long as this a holder that was killed keeps the next one waiting. */
const LEASE_MS = 6_000

const TAKE = `
INSERT INTO devices.test_computers_lease AS lease (holder_id, expires_at) VALUES ($1, $2)
ON CONFLICT (one) DO UPDATE SET holder_id = excluded.holder_id, expires_at = excluded.expires_at
WHERE lease.holder_id = excluded.holder_id OR lease.expires_at <= $3
RETURNING holder_id`

/** Walks `computer_virtual`, or `computer_virtual_offline`, which is nearly always empty. */
const FIND = (onlyOffline: boolean) =>
  `SELECT organization_id AS id FROM devices.computer WHERE mode = 'test'${onlyOffline ? ` AND state = 'offline'` : ''}`

/** Who has the lease may trade the computers' credentials anew: those that an earlier holder has stop working one by one. */
export async function leaseTestComputers(devices: Devices, { holderId, all }: LeaseTestComputersRequest) {
  const now = devices.clock.now()
  const taken = await devices.pool.query(TAKE, [holderId, new Date(now.getTime() + LEASE_MS), now])
  if (taken.rowCount === 0) return { held: false }
  const { rows } = await devices.pool.query<{ id: string }>(FIND(!all))
  return { held: true, organizationIds: rows.map(({ id }) => id) }
}
