import type { ResolveDestinationRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { parseNumber } from '@platen/resources/parse-number.ts'
import { quoted } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { validate as isUuid } from 'uuid'
import { destinationToProto } from '../destinations/destination-to-proto.ts'
import { readDestinations } from '../destinations/read-destinations.ts'
import type { Devices } from '../devices.ts'

/** The indexes of the name, the number and the id find it. */
const NAMED = `organization_id = $1 AND mode = $2 AND (name = $3 OR number = $4 OR id = $5)`

/**
 * An id has precedence over a name, and a name over a number. Reference:
 * docs/reference/print-jobs.md#create.destination.
 *
 * @throws ApiError `not_found`
 */
export async function resolveDestination(
  { pool, clock }: Pick<Devices, 'pool' | 'clock'>,
  { organizationId, mode, text }: ResolveDestinationRequest,
) {
  const id = isUuid(text) ? text.toLowerCase() : null
  const number = parseNumber(text) ?? null
  const found = await readDestinations(pool, clock.now(), {
    name: 'resolve destination',
    where: NAMED,
    values: [organizationId, mode, text, number, id],
  })
  const destination = found.find((one) => one.id === id) ?? found.find(({ name }) => name === text) ?? found[0]
  if (!destination)
    throw new ApiError(
      'not_found',
      `No destination in ${mode} mode has the id, name or number ${quoted(text)}. \`GET /v1/destinations\` lists them.`,
      { param: 'destination' },
    )
  return { destination: destinationToProto(destination) }
}
