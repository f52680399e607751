/** Renders pages of a PDF. */
import { readPageDictionaries } from './boxes.ts'
import { provideFonts } from './fonts.ts'
import { openForm } from './form.ts'
import { findImages } from './images.ts'
import { openPdfDocument, type PdfDocument, refusePage } from './pdfium.ts'
import type { Rectangle } from './placement.ts'
import { readUserUnits } from './user-units.ts'

export interface PdfPages {
  count: number

  /** In points (1/72 inch), with the rotation and the unit of the document applied. @param page from 0. */
  getSize(page: number): { width: number; height: number }

  /**
   * Renders a part of a page on white, for printing: annotations that are not printed are omitted.
   *
   * @returns rows of BGRx pixels from the top. Valid until the next call.
   */
  render(page: number, view: View): Uint8Array

  /** The areas of the images of a page, in the pixels of the rendered page. Rounded outwards. */
  getImageAreas(page: number, view: Pick<View, 'pageWidth' | 'pageHeight' | 'quarterTurns'>): Rectangle[]
}

/** In pixels. */
export interface View {
  /** The size of the rotated page. */
  pageWidth: number
  pageHeight: number
  /** Quarter turns, clockwise. */
  quarterTurns: number
  gray: boolean
  /** The part of the page to render. */
  part: { x: number; y: number; width: number; height: number }
}

/** Constants of fpdfview.h. */
const FPDF = { ANNOT: 0x01, GRAYSCALE: 0x08, PRINTING: 0x800, BGRX: 3 } as const

const WHITE = 0xffffffff

/** @throws SpoolerRefusal as `openPdfDocument`. */
export async function openPdf(path: string): Promise<PdfPages> {
  const document = await openPdfDocument(path, provideFonts)
  const { pdfium, memory, handle, pages } = document
  const form = openForm(document)
  const units = readUnits(document)
  let open = { index: -1, page: 0 }

  /** The last page stays open, because it is rendered in several parts. */
  function loadPage(index: number): number {
    if (open.index === index) return open.page
    if (open.page !== 0) pdfium.FPDF_ClosePage(open.page)
    open = { index: -1, page: 0 }
    const page = pdfium.FPDF_LoadPage(handle, index)
    if (page === 0) throw refusePage(index, 'is damaged')
    open = { index, page }
    return page
  }

  return {
    count: pages,

    getSize(index) {
      const size = document.readFloats(2, (address) => pdfium.FPDF_GetPageSizeByIndexF(handle, index, address))
      if (!size) throw refusePage(index, 'is damaged')
      const unit = units.get(index) ?? 1
      const [width = 0, height = 0] = size
      return { width: width * unit, height: height * unit }
    },

    getImageAreas(index, { pageWidth, pageHeight, quarterTurns }) {
      const page = loadPage(index)
      return findImages(document, page).map((corners) => {
        const points = corners.map(({ x, y }) => {
          const [left = 0, top = 0] =
            document.readInts(2, (to) =>
              pdfium.FPDF_PageToDevice(page, 0, 0, pageWidth, pageHeight, quarterTurns, x, y, to, to + 4),
            ) ?? []
          return { left, top }
        })
        const [xs, ys] = [points.map(({ left }) => left), points.map(({ top }) => top)]
        const [x, y] = [Math.min(...xs), Math.min(...ys)]
        return { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 }
      })
    },

    render(index, { pageWidth, pageHeight, quarterTurns, gray, part }) {
      const page = loadPage(index)
      const { width, height } = part
      const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, FPDF.BGRX, 0, width * 4)
      if (bitmap === 0) throw new Error('The memory is not sufficient to render a page.')
      try {
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
        const flags = FPDF.PRINTING | FPDF.ANNOT | (gray ? FPDF.GRAYSCALE : 0)
        const view = [bitmap, page, -part.x, -part.y, pageWidth, pageHeight, quarterTurns, flags] as const
        pdfium.FPDF_RenderPageBitmap(...view)
        if (form !== 0) pdfium.FPDF_FFLDraw(form, ...view)
        const from = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0
        return memory.HEAPU8.slice(from, from + width * height * 4)
      } finally {
        pdfium.FPDFBitmap_Destroy(bitmap)
      }
    },
  }
}

/** The dictionary of a page is loaded with its size. */
function readUnits(document: PdfDocument): Map<number, number> {
  const { pdfium, handle, pages, readFloats } = document
  for (let index = 0; index < pages; index++)
    readFloats(2, (address) => pdfium.FPDF_GetPageSizeByIndexF(handle, index, address))
  return readUserUnits(readPageDictionaries(document))
}
