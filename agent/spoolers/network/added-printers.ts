/**
 * What users have set from the dashboard: network printers, and languages of printers. It is kept apart from
 * `agent.json`, which belongs to the owner.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../config.ts'
import { replaceFileDurably } from '../../replace-file.ts'
import { parseRasterConfig, type RasterConfig } from '../raster/raster-printer.ts'
import { type NetworkPrinter, parseNetworkPrinters } from './config.ts'

/** The form is that of `agent.json`. */
export interface AddedPrinters {
  printers: NetworkPrinter[]
  /** Rasters by the name of the printer, also of printers that were not added. */
  rasterize: RasterConfig
}

const getPath = (dataDir: string) => join(dataDir, 'added-printers.json')

/** @throws ConfigError if the file is damaged. */
export function readAddedPrinters(dataDir: string): AddedPrinters {
  const path = getPath(dataDir)
  const text = readText(path)
  if (text === undefined) return { printers: [], rasterize: {} }
  const faults: string[] = []
  try {
    const { printers: list, rasterize: raster } = JSON.parse(text)
    const printers = parseNetworkPrinters(list, faults)
    const rasterize = parseRasterConfig(raster, faults)
    if (faults.length === 0) return { printers, rasterize }
  } catch (error) {
    faults.push(String(error))
  }
  throw new ConfigError(`${path} is damaged: ${faults.join('; ')}. Delete it, and add the printers again.`)
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export const writeAddedPrinters = (dataDir: string, added: AddedPrinters): void =>
  replaceFileDurably(getPath(dataDir), `${JSON.stringify(added, null, 2)}\n`)
