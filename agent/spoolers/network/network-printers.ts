/**
 * The network printers of this computer while the agent runs: those of `agent.json`, and those that users add and
 * remove.
 */
import { join } from 'node:path'
import type { RawLanguage } from '@platen/proto/raw-languages.ts'
import type { Logger } from 'pino'
import type { AgentConfig } from '../../config.ts'
import { getWordLanguage, type RasterConfig, type RasterSettings } from '../raster/raster-printer.ts'
import type { FoundLanguage } from '../words/find-language.ts'
import { openWord } from '../words/open-word.ts'
import { type AddedPrinters, readAddedPrinters, writeAddedPrinters } from './added-printers.ts'
import { findByAddress, getPrinterPort, type NetworkPrinter } from './config.ts'
import type { Device } from './device.ts'
import { deleteKey, PRINTERS_DIR } from './key-pin.ts'
import { type AllowedNetworks, createGuard, findRefusal } from './local-networks.ts'
import { createNetworkSpooler, type DeviceOptions, openDevice } from './network-spooler.ts'

/** Below the data directory. */
export const NETWORK_DIR = 'network'

/**
 * Opens a printer from the dashboard. It keeps its port, also if none can be added with it, and its address is checked
 * at each connection.
 *
 * @param options as of `openDevice`.
 */
export const openAddedDevice = (
  printer: NetworkPrinter,
  allowed: AllowedNetworks | undefined,
  options?: Omit<DeviceOptions, 'guard'>,
): Device =>
  openDevice(printer, { ...options, guard: createGuard(allowed, { ...getPrinterPort(printer.uri), isUsual: true }) })

export type NetworkPrinters = ReturnType<typeof openNetworkPrinters>

/** @throws ConfigError if the file of added printers is damaged. */
export function openNetworkPrinters(
  { printers = [], rasterize = {}, allowedNetworks }: Pick<AgentConfig, 'printers' | 'rasterize' | 'allowedNetworks'>,
  dataDir: string,
  log: Logger,
) {
  let added = readAddedPrinters(dataDir)
  const dir = join(dataDir, NETWORK_DIR)
  const keysDir = join(dir, PRINTERS_DIR)
  const refusal = findRefusal(allowedNetworks)
  const spooler = createNetworkSpooler({ dir, printers, log, getLanguage })
  for (const printer of added.printers) open(printer)
  if (refusal && added.printers.length > 0)
    log.warn(
      { printers: added.printers.map(({ name }) => name), refusal },
      'printers from the dashboard are used, but agent.json permits none',
    )

  function getRaster(name: string): RasterConfig[string] | undefined {
    return findRaster({ rasterize }, added, name)
  }

  function getLanguage(name: string): RawLanguage | undefined {
    return getWordLanguage(getRaster(name))
  }

  const hasOwnRaster = (name: string): boolean => Object.hasOwn(rasterize, name)

  /** A name of `agent.json` has precedence. */
  function open(printer: NetworkPrinter): void {
    if (printers.some(({ name }) => name === printer.name))
      log.warn({ printer: printer.name }, 'added printer ignored: agent.json has a printer with its name')
    else spooler.add(printer.name, openAddedDevice(printer, allowedNetworks, { dir: keysDir, getLanguage }))
  }

  function store(changed: AddedPrinters): void {
    writeAddedPrinters(dataDir, changed)
    added = changed
  }

  return {
    spooler,

    added: (): readonly NetworkPrinter[] => added.printers,

    /** For `rasterizePdfs`, of all printers. */
    getRaster,

    /** Whether `agent.json` decides the language of a printer. */
    hasOwnRaster,

    /** Whether a printer has no queue in the operating system. */
    hasPrinter: async (name: string): Promise<boolean> =>
      (await spooler.printers()).some(({ osName }) => osName === name),

    /** @param raster absent if the language is not known. @throws if the disk cannot be written. */
    setRaster(name: string, raster?: RasterSettings): void {
      const { [name]: _, ...others } = added.rasterize
      store({ ...added, rasterize: raster ? { ...others, [name]: raster } : others })
      log.info({ printer: name, ...raster }, 'language of a printer set from the dashboard')
    },

    /** The raw printers that users may ask for their language, by name. */
    askable: (): Map<string, Device> =>
      new Map([...spooler.devices].filter(([name, { findLanguage }]) => findLanguage && !hasOwnRaster(name))),

    /** @returns the printer with the host and port of this URI. */
    findByAddress: (uri: string): NetworkPrinter | undefined => findByAddress([...printers, ...added.printers], uri),

    /**
     * @param raster absent if the language is not known. @param found what the printer has answered. @throws if the
     *   disk cannot be written.
     */
    add(printer: NetworkPrinter, raster?: RasterSettings, found?: FoundLanguage): void {
      const rasters = raster ? { ...added.rasterize, [printer.name]: raster } : added.rasterize
      store({ printers: [...added.printers, printer], rasterize: rasters })
      if (found) openWord(found.rawLanguage, printer.uri, keysDir).answered(found.hasIds)
      open(printer)
      log.info({ printer: printer.name, uri: printer.uri }, 'printer added from the dashboard')
    },

    /**
     * Jobs that were not sent end.
     *
     * @returns false if no such printer was added.
     * @throws if the disk cannot be written.
     */
    remove(name: string): boolean {
      const printer = added.printers.find((one) => one.name === name)
      if (!printer) return false
      const { [name]: _, ...rasters } = added.rasterize
      store({ printers: added.printers.filter((one) => one !== printer), rasterize: rasters })
      if (!printers.some((one) => one.name === name)) spooler.delete(name)
      deleteKey(keysDir, printer)
      log.info({ printer: name }, 'printer removed from the dashboard')
      return true
    },
  }
}

/** @param config `agent.json`, which has precedence over what users have set. */
export const findRaster = (
  { rasterize = {} }: Pick<AgentConfig, 'rasterize'>,
  added: Pick<AddedPrinters, 'rasterize'>,
  name: string,
): RasterConfig[string] | undefined => getOwn(rasterize, name) ?? getOwn(added.rasterize, name)

/** A printer can have the name of a property of all objects. */
const getOwn = (rasters: RasterConfig, name: string) => (Object.hasOwn(rasters, name) ? rasters[name] : undefined)
