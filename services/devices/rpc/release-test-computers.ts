import type { ReleaseTestComputersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Devices } from '../devices.ts'

/** Changes nothing if another process has the lease. */
export async function releaseTestComputers(devices: Devices, { holderId }: ReleaseTestComputersRequest) {
  await devices.pool.query('DELETE FROM devices.test_computers_lease WHERE holder_id = $1', [holderId])
  return {}
}
