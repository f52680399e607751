/** Finds the images of a page, also in the forms that other forms draw. */
import type { PdfDocument } from './pdfium.ts'

interface Point {
  x: number
  y: number
}

/** a, b, c, d, e, f of ISO 32000-1, section 8.3.3. */
type Matrix = number[]

/** Constants of fpdf_edit.h. */
const TYPE = { IMAGE: 3, FORM: 5 } as const

const DEPTH_MAX = 8
const IMAGES_MAX = 1_000

/** @param page the handle of a page. @returns the corners of each image, in the coordinates of the page. */
export function findImages({ pdfium, readFloats }: PdfDocument, page: number): Point[][] {
  const images: Point[][] = []

  function visit(object: number, matrices: Matrix[]): void {
    if (images.length >= IMAGES_MAX) return
    const type = pdfium.FPDFPageObj_GetType(object)
    if (type === TYPE.IMAGE) {
      // Left, bottom, right and top.
      const bounds = readFloats(4, (to) => pdfium.FPDFPageObj_GetBounds(object, to, to + 4, to + 8, to + 12))
      if (bounds) images.push(toCorners(bounds).map((corner) => matrices.reduce(transform, corner)))
    } else if (type === TYPE.FORM && matrices.length < DEPTH_MAX) {
      const matrix = readFloats(6, (to) => pdfium.FPDFPageObj_GetMatrix(object, to))
      if (!matrix) return
      for (let at = 0; at < pdfium.FPDFFormObj_CountObjects(object); at++)
        visit(pdfium.FPDFFormObj_GetObject(object, at), [matrix, ...matrices])
    }
  }

  for (let at = 0; at < pdfium.FPDFPage_CountObjects(page); at++) visit(pdfium.FPDFPage_GetObject(page, at), [])
  return images
}

const toCorners = ([left = 0, bottom = 0, right = 0, top = 0]: number[]): Point[] =>
  [left, right].flatMap((x) => [bottom, top].map((y) => ({ x, y })))

const transform = ({ x, y }: Point, [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
})
