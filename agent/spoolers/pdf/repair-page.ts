import { toBox } from './boxes.ts'
import { type PdfDocument, refusePage } from './pdfium.ts'

/** Flag of fpdf_flatten.h: annotations that are not printed are removed. */
const FLAT_PRINT = 1

/**
 * Sets all boxes of a page to the part that viewers show.
 *
 * @param cuts whether its content outside of it is cut off, too.
 */
export function repairPage({ pdfium, handle, readFloats }: PdfDocument, index: number, { cuts = true } = {}): void {
  const page = pdfium.FPDF_LoadPage(handle, index)
  const rectangle = page && readFloats(4, (address) => pdfium.FPDF_GetPageBoundingBox(page, address))
  if (!rectangle) throw refusePage(index, 'is damaged')
  const { left, bottom, right, top } = toBox(rectangle)
  pdfium.FPDFPage_SetMediaBox(page, left, bottom, right, top)
  pdfium.FPDFPage_SetCropBox(page, left, bottom, right, top)
  pdfium.FPDFPage_SetTrimBox(page, left, bottom, right, top)
  pdfium.FPDFPage_SetRotation(page, pdfium.FPDFPage_GetRotation(page))
  if (cuts) {
    const clip = pdfium.FPDF_CreateClipPath(left, bottom, right, top)
    pdfium.FPDFPage_InsertClipPath(page, clip)
    pdfium.FPDF_DestroyClipPath(clip)
  }
  pdfium.FPDF_ClosePage(page)
}

/**
 * Replaces a page by a new one that draws the part that viewers show. For pages that `repairPage` cannot cut:
 * annotations are not part of the content, and an array of content that pages share would be cut for all of them. Not
 * for documents with layers: the layers of the new page are copies, so those that are off would be printed.
 *
 * @param form of `openForm`.
 */
export function redrawPage({ pdfium, handle }: PdfDocument, index: number, form: number): void {
  const page = pdfium.FPDF_LoadPage(handle, index)
  if (page === 0) throw refusePage(index, 'is damaged')
  // Draws fields that have a value and no appearance.
  if (form !== 0) pdfium.FORM_OnAfterLoadPage(page, form)
  const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
  pdfium.FPDFPage_Flatten(page, FLAT_PRINT)
  if (form !== 0) pdfium.FORM_OnBeforeClosePage(page, form)
  pdfium.FPDF_ClosePage(page)
  const drawing = pdfium.FPDF_NewXObjectFromPage(handle, handle, index)
  if (drawing === 0) throw refusePage(index, 'is damaged')
  const drawn = pdfium.FPDFPage_New(handle, index, width, height)
  pdfium.FPDFPage_InsertObject(drawn, pdfium.FPDF_NewFormObjectFromXObject(drawing))
  pdfium.FPDFPage_GenerateContent(drawn)
  pdfium.FPDF_CloseXObject(drawing)
  pdfium.FPDF_ClosePage(drawn)
  pdfium.FPDFPage_Delete(handle, index + 1)
}
