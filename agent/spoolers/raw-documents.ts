/**
 * Raw documents are sent to a printer unchanged. Some printers accept nothing else, and the owner of a computer can
 * forbid them.
 */
import { open } from 'node:fs/promises'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { SpoolerRefusal, type Submission } from './spooler.ts'

const PDF_HEADER = '%PDF-'

/**
 * `formats` of a printer that gets documents unchanged, for `capabilities`. Reference:
 * docs/reference/printers.md#capabilities.formats.
 */
export const RAW_ONLY = { names: ['raw'] }
/** The formats of one with a driver, or whose PDFs the agent draws. */
export const PDF_AND_RAW = { names: ['pdf', 'raw'] }

type ReportedPrinter = MessageInitShape<typeof ReportedPrinterSchema>

/**
 * For printers that get documents unchanged. A PDF would come out as garbage.
 *
 * @throws SpoolerRefusal for a document that is not raw data.
 */
export function requireRaw({ contentType }: Pick<Submission, 'contentType'>): void {
  if (contentType.startsWith('raw_')) return
  throw new SpoolerRefusal(
    'This printer has no driver and accepts only raw documents in its own language. Nothing was printed. Send raw content, or set the language of a ZPL or ESC/POS printer on its page in the dashboard, or add the printer with a driver to the operating system.',
    ['document-format-not-supported'],
  )
}

/**
 * Enforces `raw` of `agent.json`, also against a service that names raw data a PDF.
 *
 * @throws SpoolerRefusal if the owner of the computer has forbidden the document.
 */
export async function requireAllowed(
  raw: boolean | string[] | undefined,
  { contentType, printerOsName, file }: Pick<Submission, 'contentType' | 'printerOsName' | 'file'>,
): Promise<void> {
  if (isAllowed(raw, printerOsName)) return
  if (contentType.startsWith('pdf_') && (await hasPdfHeader(file))) return
  throw new SpoolerRefusal(
    `The owner of the computer allows no raw documents on this printer, only PDFs that begin with ${PDF_HEADER}. Nothing was printed.`,
    ['document-format-not-supported'],
  )
}

/** @returns the printer without raw data in its formats if the owner of the computer has forbidden them. */
export function withAllowedFormats(raw: boolean | string[] | undefined, printer: ReportedPrinter): ReportedPrinter {
  const { capabilities, osName = '' } = printer
  if (!capabilities?.formats || isAllowed(raw, osName)) return printer
  const names = (capabilities.formats.names ?? []).filter((name) => name !== 'raw')
  return { ...printer, capabilities: { ...capabilities, formats: { names } } } as ReportedPrinter
}

const isAllowed = (raw: boolean | string[] = true, printerOsName: string) =>
  Array.isArray(raw) ? raw.includes(printerOsName) : raw

async function hasPdfHeader(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PDF_HEADER.length), 0, PDF_HEADER.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === PDF_HEADER
  } finally {
    await file.close()
  }
}
