import type { GetSharedPrinterRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { parseNumber } from '@platen/resources/parse-number.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { validate as isUuid } from 'uuid'
import type { Devices } from '../devices.ts'
import { computerToProto, printerToProto } from '../devices-to-proto.ts'
import { PrinterEntity } from '../entities.ts'

/**
 * A printer for IPP. Of an organization also one that is not shared, because a computer that has added it must learn
 * that. Without an organization, that is without a credential, only a shared one by its id, which cannot be guessed,
 * unlike its number.
 *
 * @throws ApiError `not_found`.
 */
export async function getSharedPrinter(devices: Devices, { organizationId, mode, printer }: GetSharedPrinterRequest) {
  const number = organizationId ? parseNumber(printer) : undefined
  const key = isUuid(printer) ? { id: printer } : number === undefined ? undefined : { number }
  const where = { ...key, removedAt: null, ...(organizationId ? { organizationId, mode } : { shared: true }) }
  const found = key && (await devices.orm.em.fork().findOne(PrinterEntity, where, { populate: ['computer'] }))
  if (!found) throw new ApiError('not_found', 'There is no such printer.')
  return { printer: printerToProto(found), computer: computerToProto(found.computer) }
}
