import type { LeaseTestComputersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Devices } from '../devices.ts'
import { ComputerEntity } from '../entities.ts'

/** Three renewals. After a crash of the holder, the next process waits for this time. */
const LEASE_MS = 6_000

const TAKE = `
INSERT INTO devices.test_computers_lease AS lease (holder_id, expires_at) VALUES ($1, $2)
ON CONFLICT (one) DO UPDATE SET holder_id = excluded.holder_id, expires_at = excluded.expires_at
WHERE lease.holder_id = excluded.holder_id OR lease.expires_at <= $3
RETURNING holder_id`

/**
 * The holder of the lease may replace the credentials of the test computers, which revokes those of an earlier holder
 * one by one.
 */
export async function leaseTestComputers(devices: Devices, { holderId, all }: LeaseTestComputersRequest) {
  const now = devices.clock.now()
  const taken = await devices.pool.query(TAKE, [holderId, new Date(now.getTime() + LEASE_MS), now])
  if (taken.rowCount === 0) return { held: false }
  // Scans `computer_virtual`, or `computer_virtual_offline`, which is nearly always empty.
  const where = { mode: 'test', ...(!all && { state: 'offline' as const }) }
  const found = await devices.orm.em.fork().find(ComputerEntity, where, { fields: ['organizationId'] })
  return { held: true, organizationIds: found.map(({ organizationId }) => organizationId) }
}
