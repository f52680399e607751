import type { ListNumberedPrintersRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { afterNumber, inRanges, numberedOptions } from '@platen/runtime/database/numbered.ts'
import type { Devices } from '../devices.ts'
import { computerToProto, printerToProto } from '../devices-to-proto.ts'
import { type Printer, PrinterEntity } from '../entities.ts'
import { readCapabilityTexts } from '../printer-texts.ts'
import { withTestComputer } from '../test-computer.ts'

const CAPABILITIES = ['capabilities', 'newerCapabilities'] as const

/** @returns the printers, and each of their computers once. */
export async function listNumberedPrinters(devices: Devices, request: ListNumberedPrintersRequest) {
  const { organizationId, mode, numbers, computerNumbers, printerIds } = request
  const where = {
    organizationId,
    mode,
    ...inRanges(numbers),
    ...(computerNumbers.length > 0 ? { computer: inRanges(computerNumbers) } : {}),
    ...(printerIds.length > 0 ? { id: { $in: printerIds } } : { removedAt: null }),
    ...afterNumber(request),
  }
  const options = { ...numberedOptions(request), populate: ['computer'], exclude: CAPABILITIES } as const
  const list = () => devices.orm.em.fork().find(PrinterEntity, where, options)
  const printers = await (numbers.length > 0 ? list() : withTestComputer(devices, request, list))
  const computers = new Map(printers.map(({ computer }) => [computer.id, computer]))
  return {
    printers: printers.map((printer) => printerToProto(printer as Printer)),
    computers: [...computers.values()].map(computerToProto),
    capabilities: request.withCapabilities ? await readCapabilityTexts(devices, printers) : [],
  }
}
