import type { AddPrinter } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { findPrinterFaults, NETWORK_PRINTERS_MAX, type NetworkPrinter } from '../spoolers/network/config.ts'
import { createLookup, ForeignAddress, requireLocal } from '../spoolers/network/local-networks.ts'
import { openDevice } from '../spoolers/network/network-spooler.ts'
import { parseRasterConfig, type RasterPrinter } from '../spoolers/raster/raster-printer.ts'
import { SpoolerRefusal } from '../spoolers/spooler.ts'
import { withTimeout } from '../with-timeout.ts'
import { CommandRefused } from './command-refused.ts'
import type { CommandContext } from './commands.ts'
import { requireAllowed } from './find-printers.ts'

/** The whole command has 15 s. */
const CHECK_TIMEOUT_MS = 7_000

/**
 * Adds a printer that answers, and reports it.
 *
 * @throws CommandRefused if the printer is invalid, in a foreign network or does not answer, or its name is used.
 */
export async function addPrinter(context: CommandContext, command: AddPrinter) {
  const { config, spooler, networkPrinters, printerReports } = context
  const allowed = requireAllowed(config)
  const { printer, raster } = parse(command)
  await requireAllowedHost(printer, allowed)
  const device = openDevice(printer, undefined, createLookup(allowed))
  await withTimeout(CHECK_TIMEOUT_MS, device.check(), 'The printer does not answer.').catch(refusePrinter)
  // The list after the last wait, so that two commands cannot add the same name.
  const reported = await spooler.printers()
  const names = [...reported.map(({ osName }) => osName), ...networkPrinters.added().map(({ name }) => name)]
  if (names.includes(printer.name))
    throw new CommandRefused(`The computer has a printer with the name "${printer.name}". Choose another name.`)
  if (networkPrinters.added().length >= NETWORK_PRINTERS_MAX)
    throw new CommandRefused(`The computer has ${NETWORK_PRINTERS_MAX} added printers. Remove one first.`)
  networkPrinters.add(printer, raster)
  await printerReports.reportChanges()
  return { osName: printer.name, uri: printer.uri }
}

/** The command is as untrusted as `agent.json`. */
function parse({ name, uri, raster }: AddPrinter): { printer: NetworkPrinter; raster?: Partial<RasterPrinter> } {
  const printer = { name, uri }
  const faults = findPrinterFaults(printer)
  const fields =
    raster &&
    Object.fromEntries(
      Object.entries({ rawLanguage: raster.rawLanguage, dpi: raster.dpi, width: raster.width }).filter(
        ([, value]) => value !== undefined,
      ),
    )
  if (fields) parseRasterConfig({ [name]: fields }, faults)
  if (fields && !uri.startsWith('socket:')) faults.push('only a socket: printer has a language')
  if (faults.length > 0) throw new CommandRefused(`The printer is not valid: ${faults.join('; ')}.`)
  return { printer, ...(fields && { raster: fields }) }
}

/** @throws CommandRefused */
async function requireAllowedHost({ uri }: NetworkPrinter, allowed: string[]): Promise<void> {
  const host = decodeURIComponent(new URL(uri).hostname).replace(/^\[(.*)\]$/, '$1')
  await requireLocal(host, allowed).catch((error: unknown) => {
    if (error instanceof ForeignAddress) throw new CommandRefused(error.message)
    throw new CommandRefused(`The computer does not know the host name ${host}. Check it, or use the address.`)
  })
}

/** @throws CommandRefused */
function refusePrinter(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SpoolerRefusal) throw new CommandRefused(message)
  throw new CommandRefused(`${message} Check the address, and that the printer is switched on.`)
}
