import type { DeleteDestinationRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { announcePrinters } from '../destinations/announce-destination.ts'
import type { Devices } from '../devices.ts'
import { DestinationEntity } from '../entities.ts'
import { endWaitingJobs } from '../timers/sweep-deleted.ts'
import { destinationNotFound } from './get-destination.ts'

/**
 * The row records the remaining work: the waiting jobs are ended now if the jobs service answers, otherwise by the
 * sweep. Reference: docs/reference/destinations.md#deletion.
 *
 * @throws ApiError `not_found`, also the second time.
 */
export async function deleteDestination(devices: Devices, request: DeleteDestinationRequest) {
  const { organizationId, mode, destinationId: id } = request
  const em = devices.orm.em.fork()
  const where = { id, organizationId, mode, deletedAt: null }
  const found = await em.findOne(DestinationEntity, where)
  const deleted = found && (await em.nativeUpdate(DestinationEntity, where, { deletedAt: devices.clock.now() }))
  if (!found || deleted === 0) throw destinationNotFound(mode)
  await announcePrinters(devices, { organizationId }, found.printerIds)
  await endWaitingJobs(devices, id).catch((error: unknown) =>
    devices.log.warn({ err: error, destination_id: id }, 'jobs of a deleted destination not ended, retrying'),
  )
  return {}
}
