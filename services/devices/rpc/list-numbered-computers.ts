import type { ListNumberedComputersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { afterNumber, inRanges, numberedOptions } from '@platen/runtime/database/numbered.ts'
import type { Devices } from '../devices.ts'
import { computerToProto } from '../devices-to-proto.ts'
import { ComputerEntity } from '../entities.ts'
import { withTestComputer } from '../test-computer.ts'

export async function listNumberedComputers(devices: Devices, request: ListNumberedComputersRequest) {
  const { organizationId, mode, numbers } = request
  const where = { organizationId, mode, deletedAt: null, ...inRanges(numbers), ...afterNumber(request) }
  const list = () => devices.orm.em.fork().find(ComputerEntity, where, numberedOptions(request))
  const computers = await (numbers.length > 0 ? list() : withTestComputer(devices, request, list))
  return { computers: computers.map(computerToProto) }
}
