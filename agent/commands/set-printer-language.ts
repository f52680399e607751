import type { SetPrinterLanguage } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { resolveRaster } from '../spoolers/raster/raster-printer.ts'
import type { Spooler } from '../spoolers/spooler.ts'
import type { CommandContext } from './command-context.ts'
import { CommandRefused } from './command-refused.ts'
import { parseRaster } from './parse-raster.ts'

/**
 * Sets the language in which the agent asks a printer and draws PDFs and images for it, and reports it.
 *
 * @throws CommandRefused if the computer has no such printer, the printer has a driver, `agent.json` names its
 *   language, or the values are invalid, also a language without drawing for a printer that is not asked.
 */
export async function setPrinterLanguage(
  { spooler, networkPrinters, printerReports }: CommandContext,
  { osName, raster }: SetPrinterLanguage,
) {
  const printer = (await spooler.printers()).find((one) => one.osName === osName)
  if (!printer) throw new CommandRefused('The computer no longer has this printer.')
  if (networkPrinters.hasOwnRaster(osName))
    throw new CommandRefused(
      `"rasterize" in agent.json of the computer names the language of "${osName}". Change it there, and restart the agent.`,
    )
  if (raster && !isRaw(printer))
    throw new CommandRefused(`"${osName}" prints PDFs by its driver, so the agent draws nothing for it.`)
  const faults: string[] = []
  const parsed = raster && parseRaster(osName, raster, faults)
  if (faults.length === 0 && parsed && !resolveRaster(parsed, undefined) && !(await networkPrinters.hasPrinter(osName)))
    faults.push(`in "${parsed.rawLanguage}" the agent only asks printers, those without a queue (socket:)`)
  if (faults.length > 0) throw new CommandRefused(`The language is not valid: ${faults.join('; ')}.`)
  networkPrinters.setRaster(osName, parsed)
  await printerReports.reportChanges()
  return {}
}

const isRaw = ({ capabilities }: Awaited<ReturnType<Spooler['printers']>>[number]) =>
  capabilities?.raster !== undefined || !capabilities?.formats?.names?.includes('pdf')
