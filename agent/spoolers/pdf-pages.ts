/**
 * Renders pages of a PDF with PDFium (WebAssembly). PDFium reads parts of the file on demand. Each document has its own instance, because the
 * memory of an instance never shrinks and is freed only with the instance.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { loadNative, resolveNative } from './native-packages.ts'
import { SpoolerRefusal } from './spooler.ts'

export interface PdfPages {
  count: number

  /** In points (1/72 inch), with the rotation of the document applied. @param page from 0. */
  getSize(page: number): { width: number; height: number }

  /**
   * Renders a part of a page on white, for printing: annotations that are not printed are omitted.
   *
   * @returns rows of BGRx pixels from the top. Valid until the next call.
   */
  render(page: number, view: View): Uint8Array

  close(): void
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
const FPDF = { ANNOT: 0x01, GRAYSCALE: 0x08, PRINTING: 0x800, BGRX: 3, ERR_PASSWORD: 4, ERR_SECURITY: 5 } as const

const WHITE = 0xffffffff

/** FPDF_FILEACCESS: an unsigned long and two pointers. */
const FILE_ACCESS_BYTES = 12

/** FS_SIZEF: two floats. */
const SIZE_BYTES = 8

/** @throws SpoolerRefusal if PDFium cannot open the document or it has no pages. */
export async function openPdf(path: string): Promise<PdfPages> {
  const pdfium = await loadPdfium()
  // The types omit the memory of the module. The view changes when the memory grows.
  const memory = pdfium.pdfium as typeof pdfium.pdfium & { HEAPU8: Uint8Array }
  const fd = openSync(path, 'r')
  const readBlock = memory.addFunction((_param: number, position: number, to: number, length: number) => {
    try {
      return readSync(fd, memory.HEAPU8, to >>> 0, length >>> 0, position >>> 0) === length >>> 0 ? 1 : 0
    } catch {
      // PDFium treats a part that cannot be read as missing.
      return 0
    }
  }, 'iiiii')
  const access = memory.wasmExports.malloc(FILE_ACCESS_BYTES)
  memory.setValue(access, fstatSync(fd).size, 'i32')
  memory.setValue(access + 4, readBlock, 'i32')
  memory.setValue(access + 8, 0, 'i32')

  const document = pdfium.FPDF_LoadCustomDocument(access, '')
  const count = document === 0 ? 0 : pdfium.FPDF_GetPageCount(document)
  if (count === 0) {
    const error = document === 0 ? pdfium.FPDF_GetLastError() : 0
    closeSync(fd)
    throw toRefusal(error)
  }
  let open = { index: -1, page: 0 }

  /** The last page stays open, because it is rendered in several parts. */
  function loadPage(index: number): number {
    if (open.index === index) return open.page
    if (open.page !== 0) pdfium.FPDF_ClosePage(open.page)
    open = { index: -1, page: 0 }
    const page = pdfium.FPDF_LoadPage(document, index)
    if (page === 0) throw toPageRefusal(index)
    open = { index, page }
    return page
  }

  return {
    count,

    getSize(index) {
      const size = memory.wasmExports.malloc(SIZE_BYTES)
      try {
        if (!pdfium.FPDF_GetPageSizeByIndexF(document, index, size)) throw toPageRefusal(index)
        return { width: memory.getValue(size, 'float'), height: memory.getValue(size + SIZE_BYTES / 2, 'float') }
      } finally {
        memory.wasmExports.free(size)
      }
    },

    render(index, { pageWidth, pageHeight, quarterTurns, gray, part }) {
      const page = loadPage(index)
      const { width, height } = part
      const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, FPDF.BGRX, 0, width * 4)
      if (bitmap === 0) throw new Error('The memory is not sufficient to render a page.')
      try {
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
        const flags = FPDF.PRINTING | FPDF.ANNOT | (gray ? FPDF.GRAYSCALE : 0)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, -part.x, -part.y, pageWidth, pageHeight, quarterTurns, flags)
        const from = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0
        return memory.HEAPU8.slice(from, from + width * height * 4)
      } finally {
        pdfium.FPDFBitmap_Destroy(bitmap)
      }
    },

    close() {
      if (open.page !== 0) pdfium.FPDF_ClosePage(open.page)
      pdfium.FPDF_CloseDocument(document)
      closeSync(fd)
    },
  }
}

/** Loaded for each PDF, so that a computer without PDF jobs never loads it. */
async function loadPdfium() {
  const { init } = loadNative('@embedpdf/pdfium') as typeof import('@embedpdf/pdfium')
  const wasm = await readFile(resolveNative('@embedpdf/pdfium/pdfium.wasm'))
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)
  const pdfium = await init({ wasmBinary })
  pdfium.PDFiumExt_Init()
  return pdfium
}

const DAMAGED = ['document-format-error']

const toPageRefusal = (index: number) =>
  new SpoolerRefusal(`Page ${index + 1} of the document is damaged. Nothing was printed.`, DAMAGED)

function toRefusal(error: number): SpoolerRefusal {
  const reason =
    error === FPDF.ERR_PASSWORD || error === FPDF.ERR_SECURITY
      ? 'it is protected by a password'
      : 'it is damaged or has no pages'
  return new SpoolerRefusal(`The document cannot be printed: ${reason}. Nothing was printed.`, DAMAGED)
}
