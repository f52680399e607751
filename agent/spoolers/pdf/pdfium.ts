/**
 * Opens PDFs with PDFium (WebAssembly). Each document has its own instance, because the memory of an instance never
 * shrinks and is freed only with the instance. The whole file is copied into it: a callback that reads parts of it
 * would double the time to open a small document, because Emscripten then lists all functions of the instance.
 */
import { readFile } from 'node:fs/promises'
import { loadNative, resolveNative } from '../native-packages.ts'
import { SpoolerRefusal } from '../spooler.ts'

export type Pdfium = Awaited<ReturnType<typeof loadPdfium>>

export interface PdfDocument {
  pdfium: Pdfium
  memory: Pdfium['pdfium']
  /** The handle of PDFium. */
  handle: number
  pages: number
  /** From its header on. */
  sizeBytes: number
  /** @returns the floats that `read` writes to the address that it gets; undefined if it returns false. */
  readFloats(count: number, read: (address: number) => boolean): number[] | undefined
  readInts(count: number, read: (address: number) => boolean): number[] | undefined
}

/** Constants of fpdfview.h. */
const ERROR = { PASSWORD: 4, SECURITY: 5 } as const

/** Bit 3 of the permissions of the user. */
const PERMISSION_PRINT = 4

/** Other bytes can precede the header (ISO 32000-1, annex H.3.4.1). */
const HEADER_SEARCH_BYTES = 1024 + '%PDF-'.length

/** The size of a float and of an int. */
const VALUE_BYTES = 4

/**
 * @param prepare called before the document is opened.
 * @throws SpoolerRefusal if PDFium cannot open the document, it has no pages, or its owner forbids printing.
 */
export async function openPdfDocument(path: string, prepare?: (pdfium: Pdfium) => void): Promise<PdfDocument> {
  const pdfium = await loadPdfium()
  prepare?.(pdfium)
  const memory = pdfium.pdfium
  const { malloc, free } = memory.wasmExports
  const bytes = await readFile(path)
  const address = malloc(bytes.length)
  memory.HEAPU8.set(bytes, address)
  const handle = pdfium.FPDF_LoadMemDocument(address, bytes.length, '')
  if (handle === 0) throw createRefusal(pdfium.FPDF_GetLastError())
  const pages = pdfium.FPDF_GetPageCount(handle)
  if (pages === 0) throw refuseDocument('it has no pages')
  // A document without a password of its owner has all permissions for PDFium, but not for the filters of CUPS.
  if ((pdfium.FPDF_GetDocUserPermissions(handle) & PERMISSION_PRINT) === 0)
    throw refuseDocument('its owner forbids printing')
  const readValues = (type: 'float' | 'i32') => (count: number, read: (address: number) => boolean) => {
    const address = malloc(count * VALUE_BYTES)
    try {
      if (!read(address)) return undefined
      return Array.from({ length: count }, (_, at) => memory.getValue(address + at * VALUE_BYTES, type))
    } finally {
      free(address)
    }
  }
  return {
    pdfium,
    memory,
    handle,
    pages,
    sizeBytes: bytes.length - Math.max(0, bytes.subarray(0, HEADER_SEARCH_BYTES).indexOf('%PDF-')),
    readFloats: readValues('float'),
    readInts: readValues('i32'),
  }
}

/** The types of Node omit it. */
export const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    compile(bytes: Uint8Array): Promise<object>
    instantiate(module: object, imports: object): Promise<object>
    Module: new (bytes: Uint8Array) => object
    Instance: new (module: object, imports: object) => { exports: Record<string, unknown> }
  }
}

/** The types omit the memory of the module. The view changes when the memory grows. */
interface Memory {
  pdfium: { HEAPU8: Uint8Array }
}

let compiling: Promise<object> | undefined

/** Loaded for the first PDF, so that a computer without PDF jobs never loads it. Compiled once. */
async function loadPdfium() {
  const { init } = loadNative('@embedpdf/pdfium') as typeof import('@embedpdf/pdfium')
  compiling ??= readFile(resolveNative('@embedpdf/pdfium/pdfium.wasm')).then((wasm) => WebAssembly.compile(wasm))
  const module = await compiling
  const pdfium = await init({
    instantiateWasm(imports: object, onInstance: (instance: object) => void) {
      void WebAssembly.instantiate(module, imports).then(onInstance)
      return {}
    },
  } as object)
  pdfium.PDFiumExt_Init()
  return pdfium as typeof pdfium & Memory
}

const DAMAGED = ['document-format-error']

export const refusePage = (index: number, reason: string) =>
  new SpoolerRefusal(`Page ${index + 1} of the document ${reason}. Nothing was printed.`, DAMAGED)

export const refuseDocument = (reason: string) =>
  new SpoolerRefusal(`The document cannot be printed: ${reason}. Nothing was printed.`, DAMAGED)

function createRefusal(error: number): SpoolerRefusal {
  if (error === ERROR.PASSWORD) return refuseDocument('it is protected by a password')
  if (error === ERROR.SECURITY) return refuseDocument('its encryption is not supported')
  return refuseDocument('it is damaged or not a PDF')
}
