import { findRefusal } from '../spoolers/network/local-networks.ts'
import type { CommandContext } from './command-context.ts'

/** The added printers, and what else users can do about printers without a queue. */
export function listAddedPrinters({ config, spooler, networkPrinters }: CommandContext) {
  const refusal = findRefusal(config.allowedNetworks)
  const queues = [...(spooler.rawAddresses?.() ?? [])].filter(([, uri]) => !networkPrinters.findByAddress(uri))
  return {
    refusal: refusal ?? '',
    printers: networkPrinters.added().map(({ name, uri }) => ({ osName: name, uri })),
    askable: [...networkPrinters.askable().keys()],
    // An address is of no use to users who may add no printers.
    queues: queues.map(([osName, uri]) => ({ osName, uri: refusal ? '' : uri })),
  }
}
