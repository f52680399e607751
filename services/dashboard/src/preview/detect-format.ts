interface Format {
  name: string
  pattern: RegExp
}

/** Of the first bytes, with the pictures of Unicode for control characters (␛ is 1b); the most specific first. */
const FORMATS: Format[] = [
  { name: 'PDF', pattern: /^%PDF-/ },
  { name: 'PNG', pattern: /^\u0089PNG/ },
  { name: 'JPEG', pattern: /^\u00ff\u00d8\u00ff/ },
  { name: 'GIF', pattern: /^GIF8[79]a/ },
  { name: 'TIFF', pattern: /^(II[*+]␀|MM␀[*+])/ },
  { name: 'WebP', pattern: /^RIFF[\s\S]{4}WEBP/ },
  { name: 'PostScript', pattern: /^␄?%!|^␛%-12345X[\s\S]*LANGUAGE\s*=\s*POSTSCRIPT/i },
  { name: 'PCL', pattern: /^␛(E|%-12345X|&l|\*[a-z])/ },
  { name: 'ZPL', pattern: /^\s*(\^XA|~(CC|CD|CT|DG|DY|HI|HS|JA|JS|SD)|\^[A-Z]{2})/i },
  { name: 'TSPL', pattern: /^\s*(SIZE|GAP|DIRECTION|CLS)\b/ },
  { name: 'EPL', pattern: /^\s*N\r?\n|^\s*[qQ]\d+(,\d+)?\r?\n/ },
  { name: 'Star', pattern: /^␛(␝|␞|\*r|@␛␝)/ },
  { name: 'ESC/POS', pattern: /^(␛[@!-}]|␝[!-}]|␐␄)/ },
]

/** What is read of the document. */
const BYTES = 512
/** U+2400 is the picture of the byte 0. */
const PICTURES = 0x2400
const LINE_ENDS = new Set([9, 10, 13])

/** @returns undefined for an unknown format. */
export function detectFormat(bytes: Uint8Array): string | undefined {
  const start = Array.from(bytes.subarray(0, BYTES), (byte) =>
    String.fromCharCode(byte < 32 && !LINE_ENDS.has(byte) ? PICTURES + byte : byte),
  ).join('')
  return FORMATS.find(({ pattern }) => pattern.test(start))?.name
}

/** The service converts them to PDF. */
export const isImage = (format: string | undefined) => ['PNG', 'JPEG', 'GIF', 'TIFF', 'WebP'].includes(format ?? '')

/** The `contentType` of a job with this document. */
export function toContentType(bytes: Uint8Array): 'pdf_base64' | 'image_base64' | 'raw_base64' {
  const format = detectFormat(bytes)
  return format === 'PDF' ? 'pdf_base64' : isImage(format) ? 'image_base64' : 'raw_base64'
}
