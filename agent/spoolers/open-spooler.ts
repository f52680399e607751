/** The spoolers that `agent.json` names, as one. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type AgentConfig, ConfigError, type SpoolerConfig } from '../config.ts'
import { combineSpoolers } from './combine-spoolers.ts'
import { createCupsSpooler } from './cups/cups-spooler.ts'
import { createNetworkSpooler, openDevice } from './network/network-spooler.ts'
import type { Spooler } from './spooler.ts'
import { createVirtualSpooler } from './virtual/virtual-spooler.ts'
import { createWindowsSpooler } from './windows/windows-spooler.ts'
import { loadWinspool } from './windows/winspool-koffi.ts'

/**
 * For the agent, which is the only one to open it.
 *
 * @throws ConfigError when this computer has no such spooler.
 */
export function openSpooler(config: AgentConfig, dataDir: string, log: Logger): Spooler {
  return combineSpoolers(openSpoolers(config, dataDir, log), { file: join(dataDir, 'printers.json'), log })
}

/**
 * Asks all spoolers for their printers, for somebody who wants to know how they are just now. May be called beside a running agent, and by
 * another user: nothing is written.
 *
 * @throws ConfigError when this computer has no such spooler; what a spooler throws that does not answer.
 */
export async function listPrinters(config: SpoolerConfig, dataDir: string): ReturnType<Spooler['printers']> {
  const ofSystem = Object.values(systemSpoolers(config, dataDir)).map((spooler) => spooler.printers())
  const ofNetwork = (config.printers ?? []).map((printer) => openDevice(printer).printer())
  const [network, ...lists] = await Promise.all([Promise.all(ofNetwork), ...ofSystem])
  return [...lists.flat(), ...network]
}

function openSpoolers(config: AgentConfig, dataDir: string, log: Logger): Record<string, Spooler> {
  const spoolers = systemSpoolers(config, dataDir)
  const { printers = [] } = config
  const dir = join(dataDir, 'network')
  // Also for the jobs of printers that are not configured any more.
  if (printers.length === 0 && !existsSync(dir)) return spoolers
  return { ...spoolers, network: createNetworkSpooler({ dir, printers, log }) }
}

/** By its name, which begins its jobs' ids in the journal and so must not change. */
function systemSpoolers({ spooler }: SpoolerConfig, dataDir: string): Record<string, Spooler> {
  if (spooler === 'virtual') return { virtual: openVirtual(dataDir) }
  switch (process.platform) {
    case 'linux':
    case 'darwin':
      return { cups: createCupsSpooler() }
    case 'win32':
      return { windows: createWindowsSpooler(loadWinspool) }
    default:
      throw new ConfigError(`The agent knows no spooler of ${process.platform}.`)
  }
}

function openVirtual(dataDir: string): Spooler {
  const printMs = readPrintMs(process.env.PLATEN_VIRTUAL_PRINT_MS)
  return createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs })
}

/** @param text how long a virtual print takes, for tests. */
function readPrintMs(text: string | undefined): number | undefined {
  if (!text) return undefined
  if (!/^\d+$/.test(text)) throw new ConfigError('PLATEN_VIRTUAL_PRINT_MS must be milliseconds.')
  return Number(text)
}
