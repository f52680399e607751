import type { ListDestinationsRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { endPage } from '@platen/runtime/paging.ts'
import { destinationToProto } from '../destinations/destination-to-proto.ts'
import { readDestinationsById } from '../destinations/read-destinations.ts'
import type { Devices } from '../devices.ts'
import { DestinationEntity } from '../entities.ts'

export async function listDestinations(devices: Devices, request: ListDestinationsRequest) {
  const { organizationId, mode, number, page } = request
  const ofNumber = number === undefined ? {} : { number }
  const where = { organizationId, mode, deletedAt: null, ...ofNumber, ...afterCursor('devices', page) }
  const { rows, end } = endPage(page, await devices.orm.em.fork().find(DestinationEntity, where, pageOptions(page)))
  const ids = rows.map(({ id }) => id)
  const found = await readDestinationsById(devices.lists, devices.clock.now(), ids)
  const byId = new Map(found.map((destination) => [destination.id, destination]))
  return { destinations: ids.flatMap((id) => byId.get(id) ?? []).map(destinationToProto), end }
}
