/**
 * Reads what a spooler needs to know about a PDF, repairs its boxes and crops its pages. Runs in a process of its own:
 * `inspections.ts`.
 */
import { writeFile } from 'node:fs/promises'
import type { DocumentWarning, PageSize, PdfInfo } from '../spooler.ts'
import {
  type Boxes,
  hasAnnotationOutside,
  hasOddBoxes,
  hasSameBoxes,
  hidesContent,
  readBoxes,
  readPageDictionaries,
  sharesContent,
  toVisible,
} from './boxes.ts'
import { type Crop, type Cropped, cropPages } from './crop.ts'
import { provideFonts } from './fonts.ts'
import { openForm } from './form.ts'
import { type Layers, setLayersForPaper } from './layers.ts'
import { findMissingFonts } from './missing-fonts.ts'
import { openPdf } from './pages.ts'
import { openPdfDocument, type PdfDocument, refusePage } from './pdfium.ts'
import { redrawPage, repairPage } from './repair-page.ts'
import { SAVE, saveDocument } from './save-document.ts'
import { readUserUnits } from './user-units.ts'

export interface Inspection {
  info: PdfInfo
  warnings: DocumentWarning[]
  isRepaired: boolean
  /** Why the option `crop` has no effect on a page, as the end of a sentence. */
  cropIgnored?: string
}

/** Further sizes are omitted. */
const SIZES_MAX = 100

/**
 * @param repairedFile gets the document if its boxes are repaired, its pages are cropped or its layers are set. Without
 *   it nothing is changed.
 * @throws SpoolerRefusal if the document cannot be printed as viewers show it.
 */
export async function inspectDocument(
  file: string,
  repairedFile: string | undefined,
  crop?: Crop,
): Promise<Inspection> {
  // The appearances of form fields depend on the widths of their fonts.
  const document = await openPdfDocument(file, provideFonts)
  const sizes = readSizes(document)
  const boxes = readAllBoxes(document)
  const dictionaries = readPageDictionaries(document)
  const units = readUserUnits(dictionaries)
  if (repairedFile === undefined)
    return { info: toInfo(sizes, units), isRepaired: false, warnings: findMissingFonts(document) }
  const { pages: cropped, ignored }: Cropped = crop
    ? cropPages(document, await openPdf(file), boxes, crop)
    : { pages: new Set() }
  const repaired = repair(document, { boxes: crop ? readAllBoxes(document) : boxes, dictionaries, cropped })
  const info = toInfo(crop ? readSizes(document) : sizes, units)
  const hasLayers = dictionaries.includes('/OCProperties')
  const saved = repaired.isRepaired || hasLayers ? saveDocument(document, SAVE.COMPLETE) : undefined
  const layers: Layers = saved && hasLayers ? setLayersForPaper(saved) : { warnings: [] }
  const changed = layers.changed ?? (repaired.isRepaired ? saved : undefined)
  if (changed) await writeFile(repairedFile, changed, { mode: 0o600 })
  return {
    info,
    isRepaired: changed !== undefined,
    warnings: [...findMissingFonts(document), ...repaired.warnings, ...layers.warnings],
    ...(ignored !== undefined && { cropIgnored: ignored }),
  }
}

const readAllBoxes = (document: PdfDocument) =>
  Array.from({ length: document.pages }, (_, index) => readBoxes(document, index))

/** Without the unit of each page. */
function readSizes({ pdfium, handle, pages, readFloats }: PdfDocument): PageSize[] {
  return Array.from({ length: pages }, (_, index) => {
    const size = readFloats(2, (address) => pdfium.FPDF_GetPageSizeByIndexF(handle, index, address))
    if (!size) throw refusePage(index, 'is damaged')
    const [width = 0, height = 0] = size
    if (width === 0 || height === 0) throw refusePage(index, 'shows nothing: its crop box is outside of its media box')
    return { width, height }
  })
}

function toInfo(all: PageSize[], units: Map<number, number>): PdfInfo {
  const sizes = new Map<string, PageSize>()
  for (const [index, size] of all.entries()) {
    const unit = units.get(index) ?? 1
    const [width, height] = [size.width * unit, size.height * unit]
    if (sizes.size < SIZES_MAX) sizes.set(`${Math.round(width)} ${Math.round(height)}`, { width, height })
  }
  return { pages: all.length, sizes: [...sizes.values()] }
}

interface Pages {
  boxes: Boxes[]
  /** From `readPageDictionaries`, before a page was changed. */
  dictionaries: string
  cropped: Set<number>
}

/** Repairs all pages if an attribute is odd that pages can inherit. @returns whether the document was changed. */
function repair(
  document: PdfDocument,
  { boxes: all, dictionaries, cropped }: Pages,
): Pick<Inspection, 'isRepaired' | 'warnings'> {
  const isOdd = hasOddBoxes(dictionaries)
  const pages = [...all.entries()]
    .map(([index, boxes]) => ({ index, boxes }))
    .filter(
      ({ index, boxes }) => isOdd || cropped.has(index) || !hasSameBoxes(boxes) || hidesContent(document, index, boxes),
    )
  const visible = new Set(pages.map(({ boxes }) => JSON.stringify(toVisible(boxes))))
  const isShared = visible.size > 1 && sharesContent(dictionaries)
  // A new page has none.
  const hasUnits = dictionaries.includes('/UserUnit')
  const hasLayers = dictionaries.includes('/OCProperties')
  const uncut: number[] = []
  const form = pages.length > 0 ? openForm(document) : 0
  for (const { index, boxes } of pages) {
    const needsDrawing = isShared || hasAnnotationOutside(document, index, boxes)
    if (needsDrawing && hasLayers) {
      repairPage(document, index, { cuts: !isShared })
      uncut.push(index + 1)
    } else if (needsDrawing && !hasUnits) redrawPage(document, index, form)
    else repairPage(document, index)
  }
  return { isRepaired: pages.length > 0, warnings: uncut.length > 0 ? [toWarning(uncut)] : [] }
}

const toWarning = ([first = 0, ...more]: number[]): DocumentWarning => ({
  reason: 'content-outside-page',
  message: `The document has layers, so what is outside of page ${first}${more.length > 0 ? ' and others' : ''} was not cut off and can be printed beside it.`,
})
