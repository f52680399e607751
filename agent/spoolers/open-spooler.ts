/** Opens the spoolers of `agent.json`, combined. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type AgentConfig, ConfigError, type SpoolerConfig } from '../config.ts'
import { combineSpoolers } from './combine-spoolers.ts'
import { createCupsSpooler } from './cups/cups-spooler.ts'
import { inspectPdfs } from './inspect-pdfs.ts'
import { deleteKey, PRINTERS_DIR } from './network/key-pin.ts'
import { createNetworkSpooler, openDevice } from './network/network-spooler.ts'
import { rasterizePdfs } from './rasterize-pdfs.ts'
import type { Spooler } from './spooler.ts'
import { createVirtualSpooler } from './virtual/virtual-spooler.ts'
import { createWindowsSpooler } from './windows/windows-spooler.ts'
import { loadWinspool } from './windows/winspool-koffi.ts'

const NETWORK_DIR = 'network'

/**
 * Used only by the running agent, because it locks files.
 *
 * @throws ConfigError if this computer has no such spooler.
 */
export function openSpooler(config: AgentConfig, dataDir: string, log: Logger): Spooler {
  return combineSpoolers(openSpoolers(config, dataDir, log), { file: join(dataDir, 'printers.json'), log })
}

/**
 * Lists the printers of all spoolers. Writes nothing, so it can run while the agent runs, and as another user.
 *
 * @throws ConfigError if this computer has no such spooler, or the error of a spooler that does not respond.
 */
export async function listPrinters(config: SpoolerConfig, dataDir: string): ReturnType<Spooler['printers']> {
  const systemLists = Object.values(openSystemSpoolers(config, dataDir)).map((spooler) => spooler.printers())
  const networkPrinters = (config.printers ?? []).map((printer) => openDevice(printer).printer())
  const [network, ...lists] = await Promise.all([Promise.all(networkPrinters), ...systemLists])
  return [...lists.flat(), ...network]
}

/**
 * Accepts another key of a network printer: that of its next connection.
 *
 * @returns false if no key is stored, or no such printer exists.
 */
export function trustPrinter({ printers = [] }: SpoolerConfig, dataDir: string, name: string): boolean {
  const printer = printers.find((one) => one.name === name)
  return printer !== undefined && deleteKey(join(dataDir, NETWORK_DIR, PRINTERS_DIR), printer)
}

function openSpoolers(config: AgentConfig, dataDir: string, log: Logger): Record<string, Spooler> {
  const spoolers = openSystemSpoolers(config, dataDir)
  const { printers = [], rasterize = {} } = config
  const dir = join(dataDir, NETWORK_DIR)
  // Opened without printers as well if jobs of removed printers may be stored.
  if (printers.length === 0 && !existsSync(dir)) return spoolers
  return { ...spoolers, network: inspectPdfs(rasterizePdfs(createNetworkSpooler({ dir, printers, log }), rasterize)) }
}

/** By name. The name is part of journaled spooler job ids and must not change. */
function openSystemSpoolers({ spooler, rasterize = {} }: SpoolerConfig, dataDir: string): Record<string, Spooler> {
  if (spooler === 'virtual') return { virtual: openVirtual(dataDir) }
  switch (process.platform) {
    case 'linux':
    case 'darwin':
      return { cups: inspectPdfs(rasterizePdfs(createCupsSpooler(), rasterize)) }
    case 'win32':
      return { windows: inspectPdfs(rasterizePdfs(createWindowsSpooler(loadWinspool), rasterize)) }
    default:
      throw new ConfigError(`The agent has no spooler for ${process.platform}.`)
  }
}

function openVirtual(dataDir: string): Spooler {
  const printMs = parsePrintMs(process.env.PLATEN_VIRTUAL_PRINT_MS)
  return createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs })
}

/** @param text how long a virtual print takes, for tests. */
function parsePrintMs(text: string | undefined): number | undefined {
  if (!text) return undefined
  if (!/^\d+$/.test(text)) throw new ConfigError('PLATEN_VIRTUAL_PRINT_MS must be milliseconds.')
  return Number(text)
}
