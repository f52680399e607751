import type { JsonObject } from '@bufbuild/protobuf'
import type { ResolvePrinterRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { UNAVAILABLE_REASON } from '../destinations/availability.ts'
import type { Devices } from '../devices.ts'
import { readCapabilities, type StoredCapabilities } from '../stored-capabilities.ts'

interface Row extends StoredCapabilities {
  computerId: string
  mode: string
  enabled: boolean
  defaultOptions: JsonObject
  defaultExpireAfter: number | null
  customPapers: { name: string; width: number; height: number }[]
  os: string
  /** For the agent, not for other services. */
  osName: string
  /** Why it takes no job of a destination. Null: it is available. */
  reason: string | null
}

/**
 * One prepared statement, because a creation may need it.
 *
 * @throws ApiError `not_found` also for a printer of another organization.
 */
export async function resolvePrinter(
  devices: Pick<Devices, 'pool'>,
  request: Pick<ResolvePrinterRequest, 'printerId' | 'organizationId'>,
) {
  const { rows } = await devices.pool.query<Row>({
    name: 'resolve printer',
    text: `SELECT computer_id AS "computerId", printer.mode, enabled, default_options AS "defaultOptions",
              default_expire_after AS "defaultExpireAfter",
              custom_papers AS "customPapers", capabilities, newer_capabilities AS "newerCapabilities", computer.os,
              os_name AS "osName", ${UNAVAILABLE_REASON} AS reason
           FROM devices.printer JOIN devices.computer ON computer.id = computer_id
           WHERE printer.id = $1 AND printer.organization_id = $2 AND removed_at IS NULL`,
    values: [request.printerId, request.organizationId],
  })
  if (!rows[0])
    throw new ApiError('not_found', 'There is no printer with the id of `printerId`.', {
      param: 'printerId',
    })
  const { capabilities, newerCapabilities, defaultExpireAfter, ...facts } = rows[0]
  return {
    ...facts,
    ...(defaultExpireAfter !== null && { defaultExpireAfter }),
    capabilities: readCapabilities({ capabilities, newerCapabilities }),
  }
}
