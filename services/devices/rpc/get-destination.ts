import type { GetDestinationRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { destinationToProto } from '../destinations/destination-to-proto.ts'
import { readDestinations } from '../destinations/read-destinations.ts'
import type { Devices } from '../devices.ts'

export type DestinationIds = Pick<GetDestinationRequest, 'organizationId' | 'mode' | 'destinationId'>

/** @throws ApiError `not_found` also for a destination of another organization or mode. */
export async function getDestination(
  { pool, clock }: Pick<Devices, 'pool' | 'clock'>,
  { organizationId, mode, destinationId }: DestinationIds,
) {
  const [found] = await readDestinations(pool, clock.now(), {
    where: 'id = $1 AND organization_id = $2 AND mode = $3',
    values: [destinationId, organizationId, mode],
  })
  if (!found) throw destinationNotFound(mode)
  return { destination: destinationToProto(found) }
}

export const destinationNotFound = (mode: string) =>
  new ApiError('not_found', `There is no destination with this id in ${mode} mode.`)
