import type { PdfDocument } from './pdfium.ts'

/**
 * Flags of fpdf_save.h.
 *
 * - `INCREMENTAL`: the original bytes and behind them all objects that were loaded or changed. CUPS cannot read the
 *   result if the document has a cross-reference stream, because PDFium omits the type of the one that it appends.
 * - `COMPLETE`: all objects anew.
 */
export const SAVE = { INCREMENTAL: 1, COMPLETE: 2 } as const

/** @param flags of `SAVE`. @returns the bytes behind the first `skipBytes`. */
export function saveDocument({ pdfium, memory, handle }: PdfDocument, flags: number, skipBytes = 0): Buffer {
  const writer = pdfium.PDFiumExt_OpenFileWriter()
  if (!pdfium.FPDF_SaveAsCopy(handle, writer, flags)) throw new Error('PDFium could not write the document.')
  const size = pdfium.PDFiumExt_GetFileWriterSize(writer)
  const address = memory.wasmExports.malloc(size)
  pdfium.PDFiumExt_GetFileWriterData(writer, address, size)
  pdfium.PDFiumExt_CloseFileWriter(writer)
  const bytes = Buffer.from(memory.HEAPU8.subarray((address >>> 0) + skipBytes, (address >>> 0) + size))
  memory.wasmExports.free(address)
  return bytes
}
