/**
 * Reads the number and sizes of the pages of a PDF, in a process of its own with limits of memory and time, because documents are untrusted. Only
 * for jobs whose options need them, because the process takes some tenths of a second.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import type { JsonObject } from '@bufbuild/protobuf'
import pLimit from 'p-limit'
import { getProgramArguments } from './native-packages.ts'
import { openPdf } from './pdf-pages.ts'

/** In points. */
interface PageSize {
  width: number
  height: number
}

export interface PdfInfo {
  pages: number
  /** The different sizes, with the rotation of the document applied. */
  sizes: PageSize[]
}

/** The argument of the program that starts `printPdfInfo`. */
export const PDF_INFO = 'pdf-info'

const TIMEOUT_MS = 20_000

/** Of WebAssembly, in pages of 64 KiB: 256 MB, ten times the largest document. */
const MEMORY_MAX_PAGES = 4_096

/** Further sizes are omitted. */
const SIZES_MAX = 100

const limitProcesses = pLimit(2)

/** @returns undefined for a document that PDFium cannot open, also within the limits. The spooler then decides about it. */
async function readPdfInfo(file: string): Promise<PdfInfo | undefined> {
  const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const
  try {
    const { stdout } = await limitProcesses(() =>
      promisify(execFile)(process.execPath, [...getProgramArguments(), PDF_INFO, file], options),
    )
    return JSON.parse(stdout)
  } catch {
    return undefined
  }
}

/** Only for options that depend on the pages. */
export async function readPdfInfoFor({ pages, rotate }: JsonObject, file: string): Promise<PdfInfo | undefined> {
  return pages !== undefined || rotate === 90 || rotate === 270 ? await readPdfInfo(file) : undefined
}

/** The process of `readPdfInfo`. @returns the exit code. */
export async function printPdfInfo(file: string): Promise<number> {
  setFlagsFromString(`--wasm-max-mem-pages=${MEMORY_MAX_PAGES}`)
  const pdf = await openPdf(file)
  const sizes = new Map<string, PageSize>()
  for (let page = 0; page < pdf.count && sizes.size < SIZES_MAX; page++) {
    const size = pdf.getSize(page)
    sizes.set(`${Math.round(size.width)} ${Math.round(size.height)}`, size)
  }
  const info: PdfInfo = { pages: pdf.count, sizes: [...sizes.values()] }
  return await new Promise((resolve) => process.stdout.write(JSON.stringify(info), () => resolve(0)))
}
