import { LockMode } from '@mikro-orm/core'
import type { UpdateDestinationRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { DestinationPolicy } from '@platen/resources/destination-schema.ts'
import { announceDestination } from '../destinations/announce-destination.ts'
import { checkPrinters } from '../destinations/check-printers.ts'
import { refuseTakenName } from '../destinations/name-taken.ts'
import type { Devices } from '../devices.ts'
import { DestinationEntity } from '../entities.ts'
import { destinationNotFound, getDestination } from './get-destination.ts'

/**
 * Changes only the given fields. Jobs then refuse claims by an earlier revision, so that after the response no printer
 * takes a job that it may not take any more. A repeated call repeats that, too.
 *
 * @throws ApiError `not_found`, also for a printer; `invalid_request` for a name that another destination has;
 *   `service_unavailable` if jobs do not answer, and the change is made nevertheless.
 */
export async function updateDestination(devices: Devices, request: UpdateDestinationRequest) {
  const { organizationId, mode, destinationId, name, printers, policy, standbyAfter, enabled, expireAfter } = request
  const { before, revision } = await devices.orm.em
    .fork()
    .transactional(async (em) => {
      const where = { id: destinationId, organizationId, mode, deletedAt: null }
      const found = await em.findOne(DestinationEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
      if (!found) throw destinationNotFound(mode)
      const ids = found.printerIds
      if (printers) await checkPrinters(em, { organizationId, mode }, printers.ids)
      em.assign(found, {
        ...(name !== undefined && { name }),
        ...(printers && { printerIds: printers.ids }),
        ...(policy !== undefined && { policy: policy as DestinationPolicy }),
        ...(standbyAfter !== undefined && { standbyAfter }),
        ...(enabled !== undefined && { enabled }),
        ...(expireAfter && { expireAfter: expireAfter.seconds ?? null }),
      })
      em.getUnitOfWork().computeChangeSets()
      if (em.getUnitOfWork().getChangeSets().length > 0) {
        found.revision = BigInt(found.revision) + 1n
        found.updatedAt = devices.clock.now()
      }
      await em.flush()
      return { before: ids, revision: BigInt(found.revision) }
    })
    .catch((error: unknown) => refuseTakenName(error, name ?? ''))
  await devices.jobs.fenceDestination({ destinationId, revision })
  await announceDestination(devices, { id: destinationId, organizationId }, [...before, ...(printers?.ids ?? [])])
  return await getDestination(devices, { organizationId, mode, destinationId })
}
