import type { Raster } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { parseRasterConfig, type RasterSettings } from '../spoolers/raster/raster-printer.ts'

/**
 * The raster of a command, which is as untrusted as `agent.json`.
 *
 * @param faults a phrase is added for each fault.
 */
export function parseRaster(name: string, { rawLanguage, dpi, width }: Raster, faults: string[]): RasterSettings {
  const fields = Object.entries({ rawLanguage, dpi, width }).filter(([, value]) => value !== undefined)
  const raster = Object.fromEntries(fields)
  parseRasterConfig({ [name]: raster }, faults)
  return raster
}
