import type { GetSharedDestinationRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { parseNumber } from '@platen/resources/parse-number.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { validate as isUuid } from 'uuid'
import { destinationToProto } from '../destinations/destination-to-proto.ts'
import { readDestinations } from '../destinations/read-destinations.ts'
import type { Devices } from '../devices.ts'
import { computerToProto, printerToProto } from '../devices-to-proto.ts'
import { PrinterEntity } from '../entities.ts'

/**
 * A destination for IPP, with its printers. The rules are those of `get-shared-printer.ts`; it is shared if all of its
 * printers are.
 *
 * @throws ApiError `not_found`, also without a printer that exists.
 */
export async function getSharedDestination(
  { pool, clock, orm }: Pick<Devices, 'pool' | 'clock' | 'orm'>,
  { organizationId, mode, destination: text }: GetSharedDestinationRequest,
) {
  const id = isUuid(text) ? text.toLowerCase() : null
  const number = parseNumber(text) ?? null
  const [destination] = await readDestinations(pool, clock.now(), {
    name: organizationId ? 'destination for IPP' : 'destination for IPP by id',
    ...(organizationId
      ? {
          where: 'organization_id = $1 AND mode = $2 AND (id = $3 OR number = $4)',
          values: [organizationId, mode, id, number],
        }
      : { where: 'id = $1', values: [id] }),
  })
  const listed = destination?.printers.map(({ printerId }) => printerId) ?? []
  const where = { id: { $in: listed }, removedAt: null }
  const found = destination ? await orm.em.fork().find(PrinterEntity, where, { populate: ['computer'] }) : []
  const isFound = found.length > 0 && (organizationId !== '' || found.every(({ shared }) => shared))
  if (!destination || !isFound) throw new ApiError('not_found', 'There is no such destination.')
  return {
    destination: destinationToProto(destination),
    printers: found
      .toSorted((a, b) => listed.indexOf(a.id) - listed.indexOf(b.id))
      .map((printer) => ({ printer: printerToProto(printer), computer: computerToProto(printer.computer) })),
  }
}
