/**
 * Finds fonts whose letters a document does not contain. A printer or a driver draws its text with another font, or
 * leaves letters out.
 */
import type { DocumentWarning } from '../spooler.ts'
import type { PdfDocument } from './pdfium.ts'

/** ISO 32000-1, section 9.6.2.2. Every printer has them. */
const STANDARD = new Set([
  ...['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic', 'Symbol', 'ZapfDingbats'],
  ...['Helvetica', 'Courier'].flatMap((family) => ['', '-Bold', '-Oblique', '-BoldOblique'].map((end) => family + end)),
])

/** The name of a font of which a document contains some letters begins with six letters of its own. */
const SUBSET_TAG = /^[A-Z]{6}\+/

/** Constants of fpdf_edit.h. */
const TYPE = { TEXT: 1, FORM: 5 } as const
/** Text of these modes is not drawn: scanned pages have the text that was recognized in them. */
const UNDRAWN = [3, 7]

/** A long document has its fonts on the first pages. */
const PAGES_MAX = 50
const TIME_MAX_MS = 2_000
const DEPTH_MAX = 8
const OBJECTS_MAX = 100_000

const FONTS_MAX = 10
const NAME_MAX_BYTES = 100

/** @returns a warning that names the fonts that are neither in the document nor standard, as it uses them first. */
export function findMissingFonts(document: PdfDocument): DocumentWarning[] {
  const { pdfium, handle, pages } = document
  const names = new Set<string>()
  const deadline = performance.now() + TIME_MAX_MS
  let objects = 0

  /** @param fonts of the page. A closed page frees them, and the next one can have others at their addresses. */
  function visit(object: number, depth: number, fonts: Set<number>): void {
    if (++objects > OBJECTS_MAX) return
    const type = pdfium.FPDFPageObj_GetType(object)
    if (type === TYPE.FORM && depth < DEPTH_MAX)
      for (let at = 0; at < pdfium.FPDFFormObj_CountObjects(object); at++)
        visit(pdfium.FPDFFormObj_GetObject(object, at), depth + 1, fonts)
    if (type !== TYPE.TEXT || UNDRAWN.includes(pdfium.FPDFTextObj_GetTextRenderMode(object))) return
    const font = pdfium.FPDFTextObj_GetFont(object)
    if (fonts.has(font)) return
    fonts.add(font)
    const name = readMissingName(document, font)
    if (name !== undefined) names.add(name)
  }

  for (let index = 0; index < Math.min(pages, PAGES_MAX) && performance.now() < deadline; index++) {
    const page = pdfium.FPDF_LoadPage(handle, index)
    if (page === 0) continue
    const fonts = new Set<number>()
    for (let at = 0; at < pdfium.FPDFPage_CountObjects(page); at++) visit(pdfium.FPDFPage_GetObject(page, at), 0, fonts)
    pdfium.FPDF_ClosePage(page)
  }
  return names.size > 0 ? [toWarning([...names].slice(0, FONTS_MAX))] : []
}

function toWarning(names: string[]): DocumentWarning {
  const fonts = `the font${names.length > 1 ? 's' : ''} ${names.map((name) => `\`${name}\``).join(', ')}`
  const message = `The document does not contain ${fonts}. Another font is printed instead, and letters can be missing.`
  return { reason: 'font-not-embedded', message }
}

function readMissingName({ pdfium, memory }: PdfDocument, font: number): string | undefined {
  if (pdfium.FPDFFont_GetIsEmbedded(font) !== 0) return undefined
  const { malloc, free } = memory.wasmExports
  const address = malloc(NAME_MAX_BYTES)
  try {
    const length = pdfium.FPDFFont_GetBaseFontName(font, address, NAME_MAX_BYTES)
    const name = length > NAME_MAX_BYTES ? '' : memory.UTF8ToString(address)
    const bare = name.replace(SUBSET_TAG, '').replaceAll(/[^\p{L}\p{N} ,.+_-]/gu, '')
    return STANDARD.has(bare) ? undefined : bare || 'without a name'
  } finally {
    free(address)
  }
}
