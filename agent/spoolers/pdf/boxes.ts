/**
 * Finds boxes that CUPS and printers read otherwise than viewers. A viewer shows the part of the crop box that is
 * inside the media box, whatever the order of their corners. CUPS prints the trim box, takes corners as they are, and
 * does not cut off what is outside of the box.
 */
import { type PdfDocument, refusePage } from './pdfium.ts'
import { SAVE, saveDocument } from './save-document.ts'

/** In points; normalized by PDFium. */
export interface Box {
  left: number
  bottom: number
  right: number
  top: number
}

export interface Boxes {
  media: Box
  /** The media box if the page has none. */
  crop: Box
  /** The crop box if the page has none. */
  trim: Box
}

/** Constants of PDFium for EPDF_GetPageBoxByIndex. */
const BOX = { MEDIA: 0, CROP: 1, TRIM: 3 } as const

/** 1 mm. Programs round sizes, and a strip of this width hides nothing. */
const TOLERANCE_POINTS = 72 / 25.4

/**
 * 5 mm less than the shorter and the longer side of both A4 and Letter. Larger pages fill their sheet, so nothing is
 * printed beside them.
 */
const OFFICE_SIZE = [581, 778] as const

export function readBoxes({ pdfium, handle, readFloats }: PdfDocument, index: number): Boxes {
  const read = (box: number): Box | undefined => {
    const edges = readFloats(4, (address) => pdfium.EPDF_GetPageBoxByIndex(handle, index, box, address))
    return edges && toBox(edges)
  }
  const media = read(BOX.MEDIA)
  const crop = read(BOX.CROP)
  if (!media || !crop) throw refusePage(index, 'is damaged')
  return { media, crop, trim: read(BOX.TRIM) ?? crop }
}

/** @param edges as FS_RECTF has them. */
export const toBox = ([left = 0, top = 0, right = 0, bottom = 0]: number[]): Box => ({ left, bottom, right, top })

export const hasSameBoxes = ({ media, crop, trim }: Boxes) =>
  exceedsBy(media, crop) <= TOLERANCE_POINTS &&
  exceedsBy(crop, media) <= TOLERANCE_POINTS &&
  exceedsBy(trim, media) <= TOLERANCE_POINTS &&
  exceedsBy(media, trim) <= TOLERANCE_POINTS

/** The largest distance of an edge of `box` outside of `area`. */
const exceedsBy = (box: Box, area: Box) =>
  Math.max(area.left - box.left, area.bottom - box.bottom, box.right - area.right, box.top - area.top)

/**
 * The dictionaries of the pages and of the nodes above them, as PDFium writes them. It has no function for the original
 * values of a box. An incremental save writes the objects that were loaded behind the original bytes. After all boxes
 * were read these are the dictionaries, and not the content.
 */
export const readPageDictionaries = (document: PdfDocument) =>
  saveDocument(document, SAVE.INCREMENTAL, document.sizeBytes).toString('latin1')

/**
 * Whether a box is missing, is not four numbers, or has corners in an unusual order, or a rotation is not one of
 * quarters.
 *
 * @param text from `readPageDictionaries`.
 */
export function hasOddBoxes(text: string): boolean {
  const resolve = (value: string) => {
    const [, number] = /^(\d+) 0 R/.exec(value.trim()) ?? []
    return number === undefined ? value : (new RegExp(`(?<!\\d)${number} 0 obj\\s*([^]*?)endobj`).exec(text)?.[1] ?? '')
  }
  const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, value = '']) => resolve(value))
  const boxes = find(/\/(?:Media|Crop|Trim)Box\b(\s*\[[^\]]*\]|[^/>[]*)/g)
  const rotations = find(/\/Rotate\b([^/>]*)/g)
  return !text.includes('/MediaBox') || !boxes.every(isUsualBox) || rotations.some((value) => Number(value) % 90 !== 0)
}

/**
 * Whether pages share their content, which can be an array that is cut for each of them.
 *
 * @param text from `readPageDictionaries`.
 */
export function sharesContent(text: string): boolean {
  const contents = [...text.matchAll(/\/Contents (\d+ \d+ R)/g)].map(([, reference]) => reference)
  return new Set(contents).size < contents.length
}

function isUsualBox(value: string): boolean {
  const [, numbers = ''] = /^\s*\[([-\d.\s]*)\]\s*$/.exec(value) ?? []
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, ...more] = numbers.trim().split(/\s+/).map(Number)
  return x1 < x2 && y1 < y2 && more.length === 0
}

/** Whether content or annotations are outside of a page and would be printed beside it on a larger sheet. */
export function hidesContent(document: PdfDocument, index: number, boxes: Boxes): boolean {
  const { pdfium, readFloats } = document
  const { left, bottom, right, top } = toVisible(boxes)
  const [short = 0, long = 0] = [right - left, top - bottom].toSorted((a, b) => a - b)
  if (short > OFFICE_SIZE[0] && long > OFFICE_SIZE[1]) return false
  const bounds = withPage(document, index, (page) =>
    Array.from({ length: pdfium.FPDFPage_CountObjects(page) }, (_, at) => {
      const object = pdfium.FPDFPage_GetObject(page, at)
      // In the order of FS_RECTF.
      return readFloats(4, (to) => pdfium.FPDFPageObj_GetBounds(object, to, to + 12, to + 8, to + 4))
    }),
  )
  return isAnyOutside(bounds, boxes) || hasAnnotationOutside(document, index, boxes)
}

export function hasAnnotationOutside(document: PdfDocument, index: number, boxes: Boxes): boolean {
  const { pdfium, readFloats } = document
  const rectangles = withPage(document, index, (page) =>
    Array.from({ length: pdfium.FPDFPage_GetAnnotCount(page) }, (_, at) => {
      const annotation = pdfium.FPDFPage_GetAnnot(page, at)
      const rectangle = readFloats(4, (address) => pdfium.FPDFAnnot_GetRect(annotation, address))
      pdfium.FPDFPage_CloseAnnot(annotation)
      return rectangle
    }),
  )
  return isAnyOutside(rectangles, boxes)
}

const isAnyOutside = (rectangles: (number[] | undefined)[], boxes: Boxes) =>
  rectangles.some((one) => one && exceedsBy(toBox(one), toVisible(boxes)) > TOLERANCE_POINTS)

export const toVisible = ({ media, crop }: Boxes): Box => ({
  left: Math.max(media.left, crop.left),
  bottom: Math.max(media.bottom, crop.bottom),
  right: Math.min(media.right, crop.right),
  top: Math.min(media.top, crop.top),
})

/** @throws SpoolerRefusal for a damaged page. */
export function withPage<T>({ pdfium, handle }: PdfDocument, index: number, use: (page: number) => T): T {
  const page = pdfium.FPDF_LoadPage(handle, index)
  if (page === 0) throw refusePage(index, 'is damaged')
  try {
    return use(page)
  } finally {
    pdfium.FPDF_ClosePage(page)
  }
}
