import { findPrinters as find } from '../spoolers/network/find-printers.ts'
import { type AllowedNetworks, findRefusal } from '../spoolers/network/local-networks.ts'
import type { CommandContext } from './command-context.ts'
import { CommandRefused } from './command-refused.ts'

/** @throws CommandRefused if the owner of the computer has not permitted it. */
export async function findPrinters({ config, stopping }: CommandContext) {
  return { printers: await find(requireAllowed(config), stopping) }
}

/** @throws CommandRefused */
export function requireAllowed({ allowedNetworks = false }: CommandContext['config']): AllowedNetworks {
  const refusal = findRefusal(allowedNetworks)
  if (refusal) throw new CommandRefused(refusal)
  return allowedNetworks
}
