import type { CreateDestinationRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import type { DestinationPolicy } from '@platen/resources/destination-schema.ts'
import { budgetExceeded } from '@platen/runtime/budget.ts'
import { v7 as uuidv7 } from 'uuid'
import { announcePrinters } from '../destinations/announce-destination.ts'
import { checkPrinters } from '../destinations/check-printers.ts'
import { refuseTakenName } from '../destinations/name-taken.ts'
import type { Devices } from '../devices.ts'
import { DestinationEntity } from '../entities.ts'
import { getDestination } from './get-destination.ts'

/** Serializes creations of one organization and mode, so that concurrent creations cannot exceed the limit. */
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))'

/**
 * @throws ApiError `not_found` for a printer; `invalid_request` for a name that another destination has;
 *   `limit_reached`.
 */
export async function createDestination(devices: Devices, request: CreateDestinationRequest) {
  const { organizationId, mode, name, printerIds, policy, standbyAfter, enabled, expireAfter } = request
  const id = uuidv7()
  const createdAt = devices.clock.now()
  await devices.orm.em
    .fork()
    .transactional(async (em) => {
      await em.execute(LOCK, [`platen devices.destination ${organizationId} ${mode}`])
      const { max } = BUDGETS.destinations
      if ((await em.count(DestinationEntity, { organizationId, mode, deletedAt: null })) >= max)
        throw budgetExceeded('destinations', max)
      await checkPrinters(em, { organizationId, mode }, printerIds)
      await em.insert(DestinationEntity, {
        ...{ id, number: 0, organizationId, mode, name, printerIds, standbyAfter, enabled },
        policy: policy as DestinationPolicy,
        ...{ expireAfter: expireAfter ?? null, revision: 1n, createdAt, updatedAt: createdAt, deletedAt: null },
      })
    })
    .catch((error: unknown) => refuseTakenName(error, name))
  await announcePrinters(devices, { organizationId }, printerIds)
  return await getDestination(devices, { organizationId, mode, destinationId: id })
}
