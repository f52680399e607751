/** Words for the keywords that programs read. Those of state reasons: `resources/reason-words.ts`. */

const CONTENT_TYPES: Record<string, string> = { pdf: 'PDF', image: 'Image', raw: 'Raw data' }

/** "PDF", "Image", "Raw data from a URL" */
export function describeContentType(contentType: string): string {
  const [format = '', source] = contentType.split('_')
  return `${CONTENT_TYPES[format] ?? format}${source === 'uri' ? ' from a URL' : ''}`
}
