/**
 * Submits a held job to a queue of Windows. The job is paused before it contains a byte, and nothing is written before
 * Windows reports it as paused. So no crash can leave a job that prints before its release.
 */
import { createReadStream } from 'node:fs'
import { refuseDocument } from '../pdf/pdfium.ts'
import { SpoolerRefusal, type Submission, type Submitted } from '../spooler.ts'
import { toDocumentName, toSpoolerJobId } from './job-names.ts'
import { JOB_STATUS } from './job-status.ts'
import { preparePdf } from './print-pdf.ts'
import { isUnspooled } from './printer-status.ts'
import type { createPrinters } from './printers.ts'
import type { PagedDocument, PrinterInfo, RawDocument, Winspool } from './winspool.ts'

/** The version of XPS drivers. They accept raw documents only as `XPS_PASS`. */
const XPS_DRIVER = 4

/**
 * @throws SpoolerRefusal for an unknown printer, a printer that cannot hold jobs, and a document that cannot be
 *   printed.
 */
export async function submitHeld(
  winspool: Winspool,
  printers: ReturnType<typeof createPrinters>,
  submission: Submission,
): Promise<Submitted> {
  const printer = await printers.find(submission.printerOsName)
  if (!printer)
    throw new SpoolerRefusal(`The computer has no printer "${submission.printerOsName}".`, ['printer-not-found'])
  if (isUnspooled(printer))
    throw new SpoolerRefusal(
      'Windows prints directly to this printer, so a job cannot be held. Nothing was printed. Enable spooling in the properties of the printer, "Advanced".',
      ['spooling-disabled'],
    )
  const isPdf = submission.contentType.startsWith('pdf')
  const submitted = isPdf
    ? await submitPdf(winspool, printers, printer, submission)
    : await submitRaw(winspool, submission)
  const { token, printerOsName: printerName } = submission
  return { ...submitted, spoolerJobId: toSpoolerJobId({ jobId: submitted.jobId, token, printerName }) }
}

interface Queued {
  jobId: number
  warnings: string[]
}

async function submitPdf(
  winspool: Winspool,
  printers: ReturnType<typeof createPrinters>,
  printer: PrinterInfo,
  submission: Submission,
): Promise<Queued> {
  // The driver draws it in the process of the agent, with PDFium as well.
  if (!submission.pdf) throw refuseDocument('it needs more than 20 s or 256 MB to be read')
  const job = await preparePdf(winspool, submission, await printers.getOffer(printer))
  const name = toDocumentName(submission.title, submission.token)
  const document = await winspool.startPages(printer.name, { name, devmode: job.devmode })
  await writeHeld(winspool, printer.name, document, () => job.printOn(document))
  return { jobId: document.jobId, warnings: job.warnings }
}

async function submitRaw(winspool: Winspool, submission: Submission): Promise<Queued> {
  const { printerOsName, title, token, file, qty } = submission
  const datatype = (await winspool.driverVersion(printerOsName)) === XPS_DRIVER ? 'XPS_PASS' : 'RAW'
  const document = await winspool.startRaw(printerOsName, { name: toDocumentName(title, token), datatype })
  await writeHeld(winspool, printerOsName, document, async () => {
    for (let set = 1; set <= qty; set++)
      for await (const chunk of createReadStream(file)) await writeAll(document, chunk)
  })
  return { jobId: document.jobId, warnings: [] }
}

/** Deletes the job if it cannot be paused or written. An incomplete job is never released. */
async function writeHeld(
  winspool: Winspool,
  printerName: string,
  document: RawDocument | PagedDocument,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await winspool.setJob(printerName, document.jobId, 'pause')
    const job = (await winspool.enumJobs(printerName)).find(({ id }) => id === document.jobId)
    if (!job || (job.status & JOB_STATUS.paused) === 0) throw new Error('Windows did not pause the job.')
    await write()
    await document.end()
  } catch (error) {
    await document.abort()
    throw error
  }
}

async function writeAll(document: RawDocument, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    const written = await document.write(bytes.subarray(offset))
    if (written <= 0) throw new Error('The spooler accepts no more data of the document. Its disk may be full.')
    offset += written
  }
}
