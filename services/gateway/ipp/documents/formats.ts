/** The formats of documents. Reference: docs/reference/ipp.md#documents. */

/** Formats that `gateway/raster` converts to PDF. None until it is joined. */
export const RASTER_FORMATS: readonly string[] = []

/** What a document of a media type is for a print job. */
export const CONTENT_TYPES: Record<string, { contentType: 'pdf_base64' | 'image_base64'; name: string }> = {
  'application/pdf': { contentType: 'pdf_base64', name: 'PDF' },
  'image/jpeg': { contentType: 'image_base64', name: 'JPEG' },
  'image/png': { contentType: 'image_base64', name: 'PNG' },
}

export const COMPRESSIONS = ['none', 'deflate', 'gzip'] as const

export type Compression = (typeof COMPRESSIONS)[number]
