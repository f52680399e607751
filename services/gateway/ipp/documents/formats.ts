/** The formats of documents. Reference: docs/reference/ipp.md#documents. */

/** Pages of pixels, which are converted as images: `jobs/images/raster`. */
export const RASTER_FORMATS: readonly string[] = ['image/pwg-raster', 'image/urf']

/** What a document of a media type is for a print job. */
export const CONTENT_TYPES: Record<string, { contentType: 'pdf_base64' | 'image_base64'; name: string }> = {
  'application/pdf': { contentType: 'pdf_base64', name: 'PDF' },
  'image/jpeg': { contentType: 'image_base64', name: 'JPEG' },
  'image/png': { contentType: 'image_base64', name: 'PNG' },
  'image/pwg-raster': { contentType: 'image_base64', name: 'PWG Raster' },
  'image/urf': { contentType: 'image_base64', name: 'Apple Raster' },
}

export const COMPRESSIONS = ['none', 'deflate', 'gzip'] as const

export type Compression = (typeof COMPRESSIONS)[number]
