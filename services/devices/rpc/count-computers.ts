import type { CountComputersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Devices } from '../devices.ts'
import { ComputerEntity } from '../entities.ts'

/** The computers of one mode. Scans the index `computer_page`. */
export async function countComputers(devices: Devices, { organizationId, mode }: CountComputersRequest) {
  const count = await devices.orm.em.fork().count(ComputerEntity, { deletedAt: null, organizationId, mode })
  return { count }
}
