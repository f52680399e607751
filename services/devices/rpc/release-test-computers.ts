import type { ReleaseTestComputersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Devices } from '../devices.ts'
import { TestComputersLeaseEntity } from '../entities.ts'

/** Changes nothing if another process has the lease. */
export async function releaseTestComputers({ orm }: Devices, { holderId }: ReleaseTestComputersRequest) {
  await orm.em.fork().nativeDelete(TestComputersLeaseEntity, { holderId })
  return {}
}
