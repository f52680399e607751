import type { PdfDocument } from './pdfium.ts'

/**
 * Fields of a form are not part of a page for PDFium.
 *
 * @returns the handle of the form; 0 for a document without one.
 */
export function openForm({ pdfium, handle }: PdfDocument): number {
  if (pdfium.FPDF_GetFormType(handle) === 0) return 0
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(handle, pdfium.PDFiumExt_OpenFormFillInfo())
  pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0)
  return form
}
