/**
 * Opens an address that a user has typed or found: at a limited rate, and with one answer for all causes of a failure.
 */
import type { Logger } from 'pino'
import type { Clock } from '../expiry.ts'
import { LOCAL_ONLY } from '../log-file.ts'
import { getHost, getPrinterPort, type NetworkPrinter } from '../spoolers/network/config.ts'
import type { Device } from '../spoolers/network/device.ts'
import { type AllowedNetworks, createGuard } from '../spoolers/network/local-networks.ts'
import { openDevice } from '../spoolers/network/network-spooler.ts'
import { SpoolerRefusal } from '../spoolers/spooler.ts'
import type { FoundLanguage } from '../spoolers/words/find-language.ts'
import { withTimeout } from '../with-timeout.ts'
import { CommandRefused } from './command-refused.ts'

/**
 * The whole command has 15 s. A printer that does not answer is refused after this time, so that no cause is faster
 * than another.
 */
const CHECK_MS = 7_000

/** From one opening of an agent to the next, because each opens a connection in the network of the owner. */
const INTERVAL_MS = 5_000

const NO_ANSWER =
  'No printer answers at this address. Check the kind and the address, that the printer is switched on, and that it requires no password. The log of the agent on the computer has the cause.'

export type NewPrinters = ReturnType<typeof createNewPrinters>

/** Limits how often an agent opens addresses of users. */
export function createNewPrinters(clock: Clock) {
  let beganAtMs = Number.NEGATIVE_INFINITY
  let asked: { uri: string; found: FoundLanguage | undefined; isAddedAtOnce: boolean } | undefined

  return {
    /**
     * @returns waits for the end of the time in which a printer can answer.
     * @throws CommandRefused less than 5 s after the last call.
     */
    begin(purpose: 'add' | 'ask', uri: string): (signal: AbortSignal) => Promise<void> {
      const nowMs = clock.uptimeMs()
      const isFree = purpose === 'add' && asked?.uri === uri && asked.isAddedAtOnce
      if (!isFree && nowMs - beganAtMs < INTERVAL_MS)
        throw new CommandRefused(`The computer opens one printer in ${INTERVAL_MS / 1000} s. Try again in a moment.`)
      beganAtMs = nowMs
      if (asked) asked.isAddedAtOnce = false
      return (signal) => clock.sleep(Math.max(0, nowMs + CHECK_MS - clock.uptimeMs()), signal)
    },

    /** The printer that was asked last can be added at once. */
    recordAnswer(uri: string, found: FoundLanguage | undefined): void {
      asked = { uri, found, isAddedAtOnce: true }
    },

    /** What the printer has answered, if it was asked last. */
    getAnswer: (uri: string): FoundLanguage | undefined => (asked?.uri === uri ? asked.found : undefined),
  }
}

/**
 * Uses a printer that is not added, as far as the owner of the computer permits its address.
 *
 * @throws CommandRefused with the same sentence whether nothing answers, or something that is no printer.
 */
export async function openNewPrinter<Result>(
  { newPrinters, log, stopping }: { newPrinters: NewPrinters; log: Logger; stopping: AbortSignal },
  { purpose, printer, allowed }: { purpose: 'add' | 'ask'; printer: NetworkPrinter; allowed: AllowedNetworks },
  use: (device: Device) => Promise<Result>,
): Promise<Result> {
  const guard = createGuard(allowed, getPrinterPort(printer.uri))
  try {
    guard.requireAddress(getHost(printer.uri))
  } catch (error) {
    throw new CommandRefused((error as Error).message, { cause: error })
  }
  const waitForTimeout = newPrinters.begin(purpose, printer.uri)
  try {
    return await withTimeout(CHECK_MS, use(openDevice(printer, { guard })), 'The printer does not answer.')
  } catch (error) {
    if (error instanceof SpoolerRefusal) throw new CommandRefused(error.message, { cause: error })
    log.warn({ err: error, uri: printer.uri, [LOCAL_ONLY]: true }, 'printer from the dashboard not opened')
    await waitForTimeout(stopping)
    throw new CommandRefused(NO_ANSWER, { cause: error })
  }
}
