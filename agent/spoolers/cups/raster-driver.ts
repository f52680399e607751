/** Whether the driver of a queue prints rasters. CUPS reports it in the PPD file only. */
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import type { IppClient } from '../../ipp/client.ts'
import { IppError } from '../../ipp/ipp-error.ts'

const FILTER = /^\*cupsFilter2?:\s*"([^"\s]+)/gm
const isRaster = (format: string) => /raster$|urf$/.test(format)
const isPages = (format: string) => /pdf$|postscript$/.test(format)

/**
 * @param printer the attribute `printer-uri`.
 * @returns false for a printer that receives PDF or PostScript, or has no driver.
 */
export async function hasRasterDriver(client: IppClient, printer: IppTypedAttributes): Promise<boolean> {
  try {
    const { data } = await client.request({ operation: 'CUPS-Get-PPD', attributes: printer })
    const formats = [...data.toString('latin1').matchAll(FILTER)].map(([, format]) => format as string)
    return formats.some(isRaster) && !formats.some(isPages)
  } catch (error) {
    if (error instanceof IppError && error.status === 'client-error-not-found') return false
    throw error
  }
}
