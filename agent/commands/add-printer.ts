import type { AddPrinter } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import type { Clock } from '../expiry.ts'
import { LOCAL_ONLY } from '../log-file.ts'
import {
  findPrinterFaults,
  getHost,
  getPrinterPort,
  NETWORK_PRINTERS_MAX,
  type NetworkPrinter,
} from '../spoolers/network/config.ts'
import { createGuard, type NetworkGuard } from '../spoolers/network/local-networks.ts'
import { openDevice } from '../spoolers/network/network-spooler.ts'
import type { RasterPrinter } from '../spoolers/raster/raster-printer.ts'
import { SpoolerRefusal } from '../spoolers/spooler.ts'
import { withTimeout } from '../with-timeout.ts'
import { CommandRefused } from './command-refused.ts'
import type { CommandContext } from './commands.ts'
import { requireAllowed } from './find-printers.ts'
import { parseRaster } from './parse-raster.ts'

/** The whole command has 15 s. A printer that does not answer is refused after this time, so that no cause is faster than another. */
const CHECK_MS = 7_000

/** From one addition of an agent to the next, because each opens a connection in the network of the owner. */
const INTERVAL_MS = 5_000

const NO_ANSWER =
  'No printer answers at this address. Check the kind and the address, that the printer is switched on, and that it requires no password. The log of the agent on the computer has the cause.'

export type Additions = ReturnType<typeof createAdditions>

/** Limits how often an agent opens addresses of users. */
export function createAdditions(clock: Clock) {
  let beganAtMs = Number.NEGATIVE_INFINITY

  return {
    /** @returns waits for the end of the time in which a printer can answer. @throws CommandRefused less than 5 s after the last call. */
    begin(): (signal: AbortSignal) => Promise<void> {
      const nowMs = clock.uptimeMs()
      if (nowMs - beganAtMs < INTERVAL_MS)
        throw new CommandRefused(`The computer adds one printer in ${INTERVAL_MS / 1000} s. Try again in a moment.`)
      beganAtMs = nowMs
      return (signal) => clock.sleep(Math.max(0, nowMs + CHECK_MS - clock.uptimeMs()), signal)
    },
  }
}

/**
 * Adds a printer that answers, and reports it.
 *
 * @throws CommandRefused if the owner permits no printers or not this address, the printer is invalid or does not answer, its name is used, or
 *   another one was added less than 5 s before.
 */
export async function addPrinter(context: CommandContext, command: AddPrinter) {
  const { config, spooler, networkPrinters, printerReports } = context
  const allowed = requireAllowed(config)
  const { printer, raster } = parse(command)
  const guard = createGuard(allowed, getPrinterPort(printer.uri))
  await requirePrinter(context, printer, guard)
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
  const fields = raster && parseRaster(name, raster, faults)
  if (fields && !uri.startsWith('socket:')) faults.push('only a socket: printer has a language')
  if (faults.length > 0) throw new CommandRefused(`The printer is not valid: ${faults.join('; ')}.`)
  return { printer, ...(fields && { raster: fields }) }
}

/** @throws CommandRefused with the same sentence whether nothing answers, or something that is no printer. */
async function requirePrinter(
  { additions, log, stopping }: CommandContext,
  printer: NetworkPrinter,
  guard: NetworkGuard,
): Promise<void> {
  try {
    guard.requireAddress(getHost(printer.uri))
  } catch (error) {
    throw new CommandRefused((error as Error).message, { cause: error })
  }
  const waitForTimeout = additions.begin()
  try {
    await withTimeout(CHECK_MS, openDevice(printer, { guard }).check(), 'The printer does not answer.')
  } catch (error) {
    if (error instanceof SpoolerRefusal) throw new CommandRefused(error.message, { cause: error })
    log.warn({ err: error, uri: printer.uri, [LOCAL_ONLY]: true }, 'printer from the dashboard not added')
    await waitForTimeout(stopping)
    throw new CommandRefused(NO_ANSWER, { cause: error })
  }
}
