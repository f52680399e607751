/** The spooler that `agent.json` names. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type AgentConfig, ConfigError } from '../config.ts'
import type { Spooler } from './spooler.ts'
import { createVirtualSpooler } from './virtual/virtual-spooler.ts'

/** @throws ConfigError when this computer has no such spooler. */
export function openSpooler(config: AgentConfig, dataDir: string, _log: Logger): Spooler {
  if (config.spooler === 'virtual')
    return createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs: readPrintMs(process.env.PLATEN_VIRTUAL_PRINT_MS) })
  throw new ConfigError('The spooler of this computer cannot be used yet: enrol with --spooler virtual.')
}

/** @param text how long a virtual print takes, for tests. */
function readPrintMs(text: string | undefined): number | undefined {
  if (!text) return undefined
  if (!/^\d+$/.test(text)) throw new ConfigError('PLATEN_VIRTUAL_PRINT_MS must be milliseconds.')
  return Number(text)
}
