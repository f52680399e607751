/** Inspects PDFs in processes of their own, because documents are untrusted. */
import { setFlagsFromString } from 'node:v8'
import { createProcessPool, serveRequests } from '@platen/runtime/process-pool.ts'
import { getProgramArguments } from '../native-packages.ts'
import { SpoolerRefusal } from '../spooler.ts'
import { type Inspection, inspectDocument } from './inspect.ts'

/** The argument of the program that starts `serveInspections`. */
export const INSPECT_PDFS = 'inspect-pdfs'

/** Of WebAssembly, in pages of 64 KiB: 256 MB, ten times the largest document. */
const MEMORY_MAX_PAGES = 4_096

interface Request {
  file: string
  repairedFile: string | undefined
}

type Answer =
  | { inspection: Inspection }
  | { refusal: Pick<SpoolerRefusal, 'message' | 'reasons'> }
  /** The error of a file. */
  | { failure: string }

const request = createProcessPool<Request, Answer>({
  args: [...getProgramArguments(), INSPECT_PDFS],
  timeoutMs: 20_000,
  // With two, a document that takes long does not delay the others.
  processesMax: 2,
})

/**
 * @param repairedFile see `inspectDocument`.
 * @returns undefined if the document exceeds the limits.
 * @throws SpoolerRefusal as `inspectDocument`, or the error of a file.
 */
export async function inspectPdf(file: string, repairedFile?: string): Promise<Inspection | undefined> {
  const answer = await request({ file, repairedFile })
  if (!answer) return undefined
  if ('refusal' in answer) throw new SpoolerRefusal(answer.refusal.message, answer.refusal.reasons)
  if ('failure' in answer) throw new Error(answer.failure)
  return answer.inspection
}

/** The process of `inspectPdf`. Ends when the agent disconnects or dies. @returns the exit code. */
export async function serveInspections(): Promise<number> {
  setFlagsFromString(`--wasm-max-mem-pages=${MEMORY_MAX_PAGES}`)
  await serveRequests(answer)
  return 0
}

/** @returns undefined if PDFium failed, for example without memory. */
async function answer({ file, repairedFile }: Request): Promise<Answer | undefined> {
  try {
    return { inspection: await inspectDocument(file, repairedFile) }
  } catch (error) {
    if (error instanceof SpoolerRefusal) return { refusal: { message: error.message, reasons: error.reasons } }
    return error instanceof Error && 'code' in error ? { failure: error.message } : undefined
  }
}
