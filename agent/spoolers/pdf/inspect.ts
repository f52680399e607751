/** Reads what a spooler needs to know about a PDF, and repairs its boxes. Runs in a process of its own: `inspections.ts`. */
import { writeFile } from 'node:fs/promises'
import type { DocumentWarning } from '../spooler.ts'
import {
  hasAnnotationOutside,
  hasOddBoxes,
  hasSameBoxes,
  hidesContent,
  readBoxes,
  readPageDictionaries,
  sharesContent,
  toVisible,
} from './boxes.ts'
import { provideFonts } from './fonts.ts'
import { openForm } from './form.ts'
import { findMissingFonts } from './missing-fonts.ts'
import { openPdfDocument, type PdfDocument, refusePage } from './pdfium.ts'
import { redrawPage, repairPage } from './repair-page.ts'
import { SAVE, saveDocument } from './save-document.ts'
import { readUserUnits } from './user-units.ts'

/** In points. */
interface PageSize {
  width: number
  height: number
}

export interface PdfInfo {
  pages: number
  /** The different sizes, with the rotation and the unit of the document applied. */
  sizes: PageSize[]
}

export interface Inspection {
  info: PdfInfo
  warnings: DocumentWarning[]
  isRepaired: boolean
}

/** Further sizes are omitted. */
const SIZES_MAX = 100

/**
 * @param repairedFile gets the document with repaired boxes if they need it. Without it nothing is repaired.
 * @throws SpoolerRefusal if the document cannot be printed as viewers show it.
 */
export async function inspectDocument(file: string, repairedFile: string | undefined): Promise<Inspection> {
  // The appearances of form fields depend on the widths of their fonts.
  const document = await openPdfDocument(file, provideFonts)
  const info = readInfo(document)
  const repaired = repairedFile === undefined ? NOTHING : repair(document)
  if (repairedFile !== undefined && repaired.isRepaired)
    await writeFile(repairedFile, saveDocument(document, SAVE.COMPLETE), { mode: 0o600 })
  return { info, isRepaired: repaired.isRepaired, warnings: [...findMissingFonts(document), ...repaired.warnings] }
}

function readInfo(document: PdfDocument): PdfInfo {
  const { pdfium, handle, pages, readFloats } = document
  const all: PageSize[] = []
  for (let index = 0; index < pages; index++) {
    const size = readFloats(2, (address) => pdfium.FPDF_GetPageSizeByIndexF(handle, index, address))
    if (!size) throw refusePage(index, 'is damaged')
    const [width = 0, height = 0] = size
    if (width === 0 || height === 0) throw refusePage(index, 'shows nothing: its crop box is outside of its media box')
    all.push({ width, height })
  }
  const units = readUserUnits(readPageDictionaries(document))
  const sizes = new Map<string, PageSize>()
  for (const [index, size] of all.entries()) {
    const unit = units.get(index) ?? 1
    const [width, height] = [size.width * unit, size.height * unit]
    if (sizes.size < SIZES_MAX) sizes.set(`${Math.round(width)} ${Math.round(height)}`, { width, height })
  }
  return { pages, sizes: [...sizes.values()] }
}

type Repair = Pick<Inspection, 'isRepaired' | 'warnings'>

const NOTHING: Repair = { isRepaired: false, warnings: [] }

/** Repairs all pages if an attribute is odd that pages can inherit. @returns whether the document was changed. */
function repair(document: PdfDocument): Repair {
  const all = Array.from({ length: document.pages }, (_, index) => ({ index, boxes: readBoxes(document, index) }))
  const dictionaries = readPageDictionaries(document)
  const isOdd = hasOddBoxes(dictionaries)
  const pages = all.filter(({ index, boxes }) => isOdd || !hasSameBoxes(boxes) || hidesContent(document, index, boxes))
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
