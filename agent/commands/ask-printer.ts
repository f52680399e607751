import type { AskPrinter } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { findPrinterFaults } from '../spoolers/network/config.ts'
import type { Device } from '../spoolers/network/device.ts'
import type { FoundLanguage } from '../spoolers/words/find-language.ts'
import type { CommandContext } from './command-context.ts'
import { CommandRefused } from './command-refused.ts'
import { requireAllowed } from './find-printers.ts'
import { openNewPrinter } from './open-new-printer.ts'

/**
 * Asks a raw printer for its language, because a person wants it. Sets nothing.
 *
 * @throws CommandRefused if the printer is unknown, invalid, does not answer or has a job, or its owner does not permit
 *   it.
 */
export async function askPrinter(context: CommandContext, { printer }: AskPrinter) {
  if (printer.case === undefined) throw new CommandRefused('The command names no printer.')
  const found = await (printer.case === 'osName' ? askOwn : askNew)(context, printer.value)
  if (!found) return {}
  const { rawLanguage, dpi, width } = found
  return { raster: { rawLanguage, dpi, width } }
}

async function askOwn({ networkPrinters }: CommandContext, osName: string): Promise<FoundLanguage | undefined> {
  if (networkPrinters.hasOwnRaster(osName))
    throw new CommandRefused(`"rasterize" in agent.json of the computer decides about the language of "${osName}".`)
  const device = networkPrinters.askable().get(osName)
  if (!device)
    throw new CommandRefused(
      `"${osName}" cannot be asked: only a printer that the agent opens by its address (socket:) can.`,
    )
  try {
    return await find(device)
  } catch (error) {
    throw new CommandRefused((error as Error).message, { cause: error })
  }
}

/** A printer that is not added. */
async function askNew(context: CommandContext, uri: string): Promise<FoundLanguage | undefined> {
  const allowed = requireAllowed(context.config)
  const printer = { name: 'New', uri }
  const faults = findPrinterFaults(printer)
  if (faults.length === 0 && !uri.startsWith('socket:')) faults.push('only a socket: printer can be asked')
  if (faults.length > 0) throw new CommandRefused(`The printer is not valid: ${faults.join('; ')}.`)
  const known = context.networkPrinters.findByAddress(uri)
  if (known)
    throw new CommandRefused(`The computer has a printer with this address: "${known.name}". Its page asks it.`)
  const found = await openNewPrinter(context, { purpose: 'ask', printer, allowed }, find)
  context.newPrinters.recordAnswer(uri, found)
  return found
}

const find = async (device: Device) => await device.findLanguage?.()
