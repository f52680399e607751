import type { ListPrintersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { endPage } from '@platen/runtime/paging.ts'
import type { Devices } from '../devices.ts'
import { printerToProto } from '../devices-to-proto.ts'
import { PrinterEntity } from '../entities.ts'
import { readListedPrinters, readPrinterTexts } from '../printer-texts.ts'
import { withTestComputer } from '../test-computer.ts'
import { getComputer } from './get-computer.ts'

/** @throws ApiError `not_found` if `computerId` is a computer of another organization or mode, or deleted. */
export async function listPrinters(devices: Devices, request: ListPrintersRequest) {
  const { organizationId, mode, page, computerId, number, asJson } = request
  if (computerId !== undefined) await getComputer(devices, { computerId, organizationId, mode })
  if (asJson) {
    const found = await withTestComputer(devices, request, () => readListedPrinters(devices.lists, request))
    const texts = await readPrinterTexts(devices, found)
    const { rows, end } = endPage(page, found, { getBytes: (printer) => texts[found.indexOf(printer)]?.length ?? 0 })
    return { json: texts.slice(0, rows.length), end }
  }
  const ofComputer = computerId === undefined ? {} : { computer: computerId }
  const filters = { ...ofComputer, ...(number === undefined ? {} : { number }) }
  const where = { organizationId, mode, removedAt: null, ...filters, ...afterCursor('devices', page) }
  const found = await withTestComputer(devices, request, () =>
    devices.orm.em.fork().find(PrinterEntity, where, { ...pageOptions(page), populate: ['computer'] }),
  )
  const { rows, end } = endPage(page, found)
  return { printers: rows.map(printerToProto), end }
}
