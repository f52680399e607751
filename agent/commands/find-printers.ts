import { findPrinters as find } from '../spoolers/network/find-printers.ts'
import { CommandRefused } from './command-refused.ts'
import type { CommandContext } from './commands.ts'

/** @throws CommandRefused if the owner of the computer has forbidden it. */
export async function findPrinters({ config, stopping }: CommandContext) {
  return { printers: await find(requireAllowed(config), stopping) }
}

/** @returns the networks beside those of the interfaces. */
export function requireAllowed({ allowedNetworks = [] }: CommandContext['config']): string[] {
  if (allowedNetworks) return allowedNetworks
  throw new CommandRefused(
    'The owner of the computer has forbidden to add printers from the dashboard: "allowedNetworks" in agent.json is false.',
  )
}
