/** Inspects and draws PDFs in processes of their own, because documents are untrusted. */
import { setFlagsFromString } from 'node:v8'
import { createProcessPool, serveRequests } from '@platen/runtime/process-pool.ts'
import { getProgramArguments } from '../native-packages.ts'
import { type Drawing, type DrawnWarnings, drawPdf } from '../raster/draw-pdf.ts'
import { SpoolerRefusal } from '../spooler.ts'
import type { Crop } from './crop.ts'
import { type Inspection, inspectDocument } from './inspect.ts'

/** The argument of the program that starts `serveInspections`. */
export const INSPECT_PDFS = 'inspect-pdfs'

/** The memory of WebAssembly, in pages of 64 KiB: 256 MB, ten times the largest document. */
const MEMORY_MAX_PAGES = 4_096

interface InspectionRequest {
  file: string
  repairedFile: string | undefined
  crop: Crop | undefined
}

interface DrawingRequest {
  file: string
  output: string
  drawing: Drawing
}

type Answer<Result> =
  | { result: Result }
  | { refusal: Pick<SpoolerRefusal, 'message' | 'reasons'> }
  /** The error of a file. */
  | { failure: string }

const program = [...getProgramArguments(), INSPECT_PDFS]

const inspect = createProcessPool<InspectionRequest, Answer<Inspection>>('inspections', {
  program,
  timeoutMs: 20_000,
})

/**
 * The pages of a long document need some tenths of a second each. Pages are cropped to their ink, so they are drawn as
 * well.
 */
const drawings = createProcessPool<DrawingRequest | InspectionRequest, Answer<DrawnWarnings> | Answer<Inspection>>(
  'drawings',
  { program, timeoutMs: 120_000 },
)
const draw = drawings as (request: DrawingRequest) => Promise<Answer<DrawnWarnings> | undefined>
const inspectAndCrop = drawings as (request: InspectionRequest) => Promise<Answer<Inspection> | undefined>

/**
 * @param repairedFile see `inspectDocument`.
 * @returns undefined if the document exceeds the limits.
 * @throws SpoolerRefusal as `inspectDocument`, or the error of a file.
 */
export const inspectPdf = async (file: string, repairedFile?: string, crop?: Crop): Promise<Inspection | undefined> =>
  getResult(await (crop ? inspectAndCrop : inspect)({ file, repairedFile, crop }))

/**
 * Draws a document into the file `output`: see `drawPdf`.
 *
 * @returns warnings; undefined if the document exceeds the limits.
 * @throws SpoolerRefusal as `drawPdf`, or the error of a file.
 */
export const drawPdfFile = async (file: string, output: string, drawing: Drawing): Promise<DrawnWarnings | undefined> =>
  getResult(await draw({ file, output, drawing }))

function getResult<Result>(answer: Answer<Result> | undefined): Result | undefined {
  if (!answer) return undefined
  if ('refusal' in answer) throw new SpoolerRefusal(answer.refusal.message, answer.refusal.reasons)
  if ('failure' in answer) throw new Error(answer.failure)
  return answer.result
}

/** The process of the requests. Ends when the agent disconnects or dies. @returns the exit code. */
export async function serveInspections(): Promise<number> {
  setFlagsFromString(`--wasm-max-mem-pages=${MEMORY_MAX_PAGES}`)
  await serveRequests('inspections', answer)
  return 0
}

/** @returns undefined if PDFium failed, for example without memory. */
async function answer(
  request: InspectionRequest | DrawingRequest,
): Promise<Answer<Inspection | DrawnWarnings> | undefined> {
  try {
    if ('drawing' in request) return { result: await drawPdf(request.file, request.output, request.drawing) }
    return { result: await inspectDocument(request.file, request.repairedFile, request.crop) }
  } catch (error) {
    if (error instanceof SpoolerRefusal) return { refusal: { message: error.message, reasons: error.reasons } }
    return error instanceof Error && 'code' in error ? { failure: error.message } : undefined
  }
}
