/**
 * The documents that a printer takes. The dashboard loads it, so it imports nothing. Reference:
 * docs/reference/printers.md#capabilities.formats.
 */

/** A part of `capabilities`. */
export interface ReportedFormats {
  formats: string[] | null
  papers: object
  rasterizes: boolean
}

/** @param format an image is printed as `pdf`. */
export function takesFormat({ formats, papers, rasterizes }: ReportedFormats, format: 'pdf' | 'raw'): boolean {
  if (formats) return formats.includes(format)
  // The agent reports no formats. A printer without papers has no driver.
  return format === 'raw' || Object.keys(papers).length > 0 || rasterizes
}
