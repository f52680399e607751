import type { AddPrinter } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { findPrinterFaults, NETWORK_PRINTERS_MAX, type NetworkPrinter } from '../spoolers/network/config.ts'
import type { RasterSettings } from '../spoolers/raster/raster-printer.ts'
import type { CommandContext } from './command-context.ts'
import { CommandRefused } from './command-refused.ts'
import { requireAllowed } from './find-printers.ts'
import { openNewPrinter } from './open-new-printer.ts'
import { parseRaster } from './parse-raster.ts'

/**
 * Adds a printer that answers, and reports it.
 *
 * @throws CommandRefused if the owner permits no printers or not this address, the printer is invalid or does not
 *   answer, its name is used, or another one was added less than 5 s before.
 */
export async function addPrinter(context: CommandContext, command: AddPrinter) {
  const { config, spooler, networkPrinters, printerReports } = context
  const allowed = requireAllowed(config)
  const { printer, raster } = parse(command)
  await openNewPrinter(context, { purpose: 'add', printer, allowed }, (device) => device.check())
  // The list after the last wait, so that two commands cannot add the same name.
  const reported = await spooler.printers()
  const names = [...reported.map(({ osName }) => osName), ...networkPrinters.added().map(({ name }) => name)]
  if (names.includes(printer.name))
    throw new CommandRefused(`The computer has a printer with the name "${printer.name}". Choose another name.`)
  if (networkPrinters.added().length >= NETWORK_PRINTERS_MAX)
    throw new CommandRefused(`The computer has ${NETWORK_PRINTERS_MAX} added printers. Remove one first.`)
  networkPrinters.add(printer, raster, context.newPrinters.getAnswer(printer.uri))
  await printerReports.reportChanges()
  return { osName: printer.name, uri: printer.uri }
}

/** The command is as untrusted as `agent.json`. */
function parse({ name, uri, raster }: AddPrinter): { printer: NetworkPrinter; raster?: RasterSettings } {
  const printer = { name, uri }
  const faults = findPrinterFaults(printer)
  const fields = raster && parseRaster(name, raster, faults)
  if (fields && !uri.startsWith('socket:')) faults.push('only a socket: printer has a language')
  if (faults.length > 0) throw new CommandRefused(`The printer is not valid: ${faults.join('; ')}.`)
  return { printer, ...(fields && { raster: fields }) }
}
