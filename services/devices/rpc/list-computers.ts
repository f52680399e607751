import type { ListComputersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { endPage } from '@platen/runtime/paging.ts'
import type { Devices } from '../devices.ts'
import { computerToProto } from '../devices-to-proto.ts'
import { ComputerEntity } from '../entities.ts'
import { withTestComputer } from '../test-computer.ts'

export async function listComputers(devices: Devices, request: ListComputersRequest) {
  const { organizationId, mode, page, number } = request
  const where = {
    organizationId,
    mode,
    deletedAt: null,
    ...(number === undefined ? {} : { number }),
    ...afterCursor('devices', page),
  }
  const found = await withTestComputer(devices, request, () =>
    devices.orm.em.fork().find(ComputerEntity, where, pageOptions(page)),
  )
  const { rows, end } = endPage(page, found)
  return { computers: rows.map(computerToProto), end }
}
