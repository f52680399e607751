/** Words for the keywords that programs read. Those of state reasons: `resources/reason-words.ts`. */

/** The values of `confirmedBy`. Reference: docs/did-it-print.md. */
export const CONFIRMED_BY: Record<string, string> = {
  printer: 'the printer itself',
  spooler: 'the computer, not the printer',
  nobody: 'nobody',
}

const CONTENT_TYPES: Record<string, string> = { pdf: 'PDF', image: 'Image', raw: 'Raw data' }

/** "PDF", "Image", "Raw data from a URL" */
export function describeContentType(contentType: string): string {
  const [format = '', source] = contentType.split('_')
  return `${CONTENT_TYPES[format] ?? format}${source === 'uri' ? ' from a URL' : ''}`
}
