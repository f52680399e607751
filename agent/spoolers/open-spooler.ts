/** Opens the spoolers of `agent.json`, combined. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type AgentConfig, ConfigError, type SpoolerConfig } from '../config.ts'
import { combineSpoolers } from './combine-spoolers.ts'
import { createCupsSpooler } from './cups/cups-spooler.ts'
import { inspectPdfs } from './inspect-pdfs.ts'
import { type AddedPrinters, readAddedPrinters } from './network/added-printers.ts'
import { findByAddress, isFolder, type NetworkPrinter } from './network/config.ts'
import type { Device } from './network/device.ts'
import { deleteKey, PRINTERS_DIR } from './network/key-pin.ts'
import {
  findRaster,
  NETWORK_DIR,
  type NetworkPrinters,
  openAddedDevice,
  openNetworkPrinters,
} from './network/network-printers.ts'
import { createNetworkSpooler, type DeviceOptions, openDevice } from './network/network-spooler.ts'
import { getWordLanguage } from './raster/raster-printer.ts'
import { rasterizePdfs } from './rasterize-pdfs.ts'
import { withAllowedFormats } from './raw-documents.ts'
import type { Spooler } from './spooler.ts'
import { isRelevant, SpoolerProblem, toSpoolerProblem } from './spooler-problem.ts'
import { openVirtualPrinters } from './virtual/virtual-spooler.ts'
import { createWindowsSpooler } from './windows/windows-spooler.ts'
import { loadWinspool } from './windows/winspool-koffi.ts'

/**
 * Used only by the running agent, because it locks files.
 *
 * @returns the spooler of all printers, and the network printers among them.
 * @throws ConfigError if this computer has no such spooler, or the file of added printers is damaged.
 */
export function openSpooler(
  config: AgentConfig,
  dataDir: string,
  log: Logger,
): { spooler: Spooler; networkPrinters: NetworkPrinters } {
  const { folders = [], printers = [] } = Object.groupBy(config.printers ?? [], (printer) =>
    isFolder(printer) ? 'folders' : 'printers',
  )
  const networkPrinters = openNetworkPrinters({ ...config, printers }, dataDir, log)
  const network = inspectPdfs(rasterizePdfs(networkPrinters.spooler, networkPrinters.getRaster))
  // Their documents are not inspected, so that they are stored as they are.
  const folder = createNetworkSpooler({ dir: join(dataDir, 'folders'), printers: folders, log })
  const spoolers = { ...openSystemSpoolers(config, dataDir, networkPrinters.getRaster), network, folder }
  const combined = combineSpoolers(spoolers, { file: join(dataDir, 'printers.json'), log })
  const listAllowed = async () => (await combined.printers()).map((printer) => withAllowedFormats(config.raw, printer))
  return { spooler: { ...combined, printers: listAllowed }, networkPrinters }
}

/**
 * Lists the printers of all spoolers. Writes nothing, so it can run while the agent runs, and as another user.
 *
 * @throws ConfigError if this computer has no such spooler, SpoolerProblem if one does not list its printers.
 */
export const listPrinters = async (config: SpoolerConfig, dataDir: string): ReturnType<Spooler['printers']> =>
  (await listPrintersAndQueues(config, dataDir)).printers

/**
 * Lists the printers, and the raw queues for printers that the agent could open by their address and does not.
 *
 * @returns `queues`: addresses by the name of the queue. @throws as `listPrinters`.
 */
export async function listPrintersAndQueues(config: SpoolerConfig, dataDir: string) {
  const added = readAddedPrinters(dataDir)
  const spoolers = Object.values(openSystemSpoolers(config, dataDir, (name) => findRaster(config, added, name)))
  const system = Promise.all(spoolers.map((spooler) => spooler.printers())).catch(toSpoolerProblem)
  const network = await Promise.all(openNetworkDevices(config, added).map(([, device]) => device.printer()))
  const lists = await system
  if (!(lists instanceof SpoolerProblem)) {
    const opened = [...(config.printers ?? []), ...added.printers]
    const addresses = spoolers.flatMap(({ rawAddresses }) => [...(rawAddresses?.() ?? [])])
    const queues = new Map(addresses.filter(([, uri]) => !findByAddress(opened, uri)))
    return { printers: [...lists.flat(), ...network], queues }
  }
  if (isRelevant(lists, network.length)) throw lists
  return { printers: network, queues: new Map<string, string>() }
}

/** The raw printers without a queue, by name. Writes nothing, so it can run while the agent runs. */
export function openRawDevices(config: SpoolerConfig, dataDir: string): Map<string, Device> {
  const added = readAddedPrinters(dataDir)
  const getLanguage = (name: string) => getWordLanguage(findRaster(config, added, name))
  const raw = openNetworkDevices(config, added, { getLanguage }).filter(([{ uri }]) => uri.startsWith('socket:'))
  const devices = new Map<string, Device>()
  // A printer of `agent.json` has precedence.
  for (const [{ name }, device] of raw) if (!devices.has(name)) devices.set(name, device)
  return devices
}

/** The printers of `agent.json`, then those that users have added. */
function openNetworkDevices(
  config: SpoolerConfig,
  added: AddedPrinters,
  options?: Pick<DeviceOptions, 'getLanguage'>,
): [NetworkPrinter, Device][] {
  return [
    ...(config.printers ?? []).map((one): [NetworkPrinter, Device] => [one, openDevice(one, options)]),
    ...added.printers.map((one): [NetworkPrinter, Device] => [
      one,
      openAddedDevice(one, config.allowedNetworks, options),
    ]),
  ]
}

/**
 * Accepts another key of a network printer: that of its next connection.
 *
 * @returns false if no key is stored, or no such printer exists.
 */
export function trustPrinter(config: SpoolerConfig, dataDir: string, name: string): boolean {
  const printers = [...(config.printers ?? []), ...readAddedPrinters(dataDir).printers]
  const printer = printers.find((one) => one.name === name)
  return printer !== undefined && deleteKey(join(dataDir, NETWORK_DIR, PRINTERS_DIR), printer)
}

/** Spoolers by name. The name is part of journaled spooler job ids and must not change. */
function openSystemSpoolers(
  { spooler }: SpoolerConfig,
  dataDir: string,
  getRaster: NetworkPrinters['getRaster'],
): Record<string, Spooler> {
  if (spooler === 'virtual') return { virtual: openVirtual(dataDir, getRaster) }
  switch (process.platform) {
    case 'linux':
    case 'darwin':
      return { cups: inspectPdfs(rasterizePdfs(createCupsSpooler(), getRaster)) }
    case 'win32':
      return { windows: inspectPdfs(rasterizePdfs(createWindowsSpooler(loadWinspool), getRaster)) }
    default:
      throw new ConfigError(`The agent has no spooler for ${process.platform}.`)
  }
}

function openVirtual(dataDir: string, getRaster: NetworkPrinters['getRaster']): Spooler {
  const printMs = parsePrintMs(process.env.PLATEN_VIRTUAL_PRINT_MS)
  return openVirtualPrinters({ dir: join(dataDir, 'virtual'), printMs, getRaster })
}

/** @param text how long a virtual print takes, for tests. */
function parsePrintMs(text: string | undefined): number | undefined {
  if (!text) return undefined
  if (!/^\d+$/.test(text)) throw new ConfigError('PLATEN_VIRTUAL_PRINT_MS must be milliseconds.')
  return Number(text)
}
