import type { GetPrinterRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Devices } from '../devices.ts'
import { printerToProto } from '../devices-to-proto.ts'
import { PrinterEntity } from '../entities.ts'

type Ids = Pick<GetPrinterRequest, 'printerId' | 'organizationId' | 'mode'>

/** @throws ApiError `not_found` also for a printer of another organization or mode, or removed. */
export async function getPrinter(devices: Devices, request: Ids) {
  const { printerId, organizationId, mode } = request
  const where = { id: printerId, organizationId, mode, removedAt: null }
  const printer = await devices.orm.em.fork().findOne(PrinterEntity, where, { populate: ['computer'] })
  if (!printer) throw new ApiError('not_found', `There is no printer with this id in ${mode} mode.`)
  return { printer: printerToProto(printer) }
}
