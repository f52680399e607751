import { findRefusal } from '../spoolers/network/local-networks.ts'
import type { CommandContext } from './commands.ts'

export const listAddedPrinters = ({ config, networkPrinters }: CommandContext) => ({
  refusal: findRefusal(config.allowedNetworks) ?? '',
  printers: networkPrinters.added().map(({ name, uri }) => ({ osName: name, uri })),
  askable: [...networkPrinters.askable().keys()],
})
