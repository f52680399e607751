/** Which documents a printer takes. Also for the dashboard, so it imports nothing. Reference: docs/reference/printers.md#capabilities.formats. */

/** Of `capabilities`. */
export interface ReportedFormats {
  formats: string[] | null
  papers: object
  rasterizes: boolean
}

/** @param format an image is printed as `pdf`. */
export function takesFormat({ formats, papers, rasterizes }: ReportedFormats, format: 'pdf' | 'raw'): boolean {
  if (formats) return formats.includes(format)
  // Of an agent that reports no formats. A printer without papers has no driver.
  return format === 'raw' || Object.keys(papers).length > 0 || rasterizes
}
