import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AgentConfig } from '../config.ts'
import { combineSpoolers } from './combine-spoolers.ts'
import { createNetworkSpooler } from './network/network-spooler.ts'
import type { Spooler } from './spooler.ts'
import { createVirtualSpooler } from './virtual/virtual-spooler.ts'

export interface OpenSpoolerOptions {
  /** How long a virtual print takes. */
  virtualPrintMs?: number
}

/**
 * The spooler that the configuration asks for, and with it the printers that it names. May be opened beside a running agent to ask for the
 * printers, and for nothing else.
 */
export function openSpooler(
  config: AgentConfig,
  dataDir: string,
  log: Logger,
  options: OpenSpoolerOptions = {},
): Spooler {
  const spoolers = systemSpooler(config, dataDir, options)
  const { printers = [] } = config
  if (printers.length > 0) spoolers.network = createNetworkSpooler({ dir: join(dataDir, 'network'), printers, log })
  return combineSpoolers(spoolers, { file: join(dataDir, 'printers.json'), log })
}

/** By its name, which begins its jobs' ids in the journal and so must not change. */
function systemSpooler(
  { spooler }: AgentConfig,
  dataDir: string,
  { virtualPrintMs }: OpenSpoolerOptions,
): Record<string, Spooler> {
  switch (spooler) {
    case 'virtual':
      return { virtual: createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs: virtualPrintMs }) }
  }
}
