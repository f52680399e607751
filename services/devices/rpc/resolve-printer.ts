import { create } from '@bufbuild/protobuf'
import {
  type ResolvePrinterRequest,
  type ResolvePrinterResponse,
  ResolvePrinterResponseSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Devices } from '../devices.ts'

interface Row {
  computerId: string
  mode: string
  enabled: boolean
}

/** By one prepared statement, since every creation asks. @throws ApiError `not_found` also for one of another organization. */
export async function resolvePrinter(
  devices: Devices,
  request: ResolvePrinterRequest,
): Promise<ResolvePrinterResponse> {
  const { rows } = await devices.pool.query<Row>({
    name: 'resolve printer',
    text: `SELECT computer_id AS "computerId", mode, enabled FROM devices.printer
           WHERE id = $1 AND organization_id = $2 AND removed_at IS NULL`,
    values: [request.printerId, request.organizationId],
  })
  if (!rows[0]) throw new ApiError('not_found', 'There is no printer with this id.')
  return create(ResolvePrinterResponseSchema, rows[0])
}
