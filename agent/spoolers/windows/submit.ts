/**
 * Brings a document into a queue without its being printed. The job is paused before it has a single byte, and nothing is written before
 * Windows says that it is paused: so whatever crashes, there is never anything of it that could be printed before it is released.
 */
import { createReadStream } from 'node:fs'
import { SpoolerRefusal, type Submission, type Submitted } from '../spooler.ts'
import { documentName, keyToId } from './job-names.ts'
import { JOB_STATUS } from './job-status.ts'
import { preparePdf } from './print-pdf.ts'
import { isUnspooled } from './printer-status.ts'
import type { createPrinters } from './printers.ts'
import type { PagedDocument, PrinterInfo, RawDocument, Winspool } from './winspool.ts'

/** Of drivers that take nothing but XPS, and let what is the printer's own pass only under this name. */
const XPS_DRIVER = 4

/** @throws SpoolerRefusal for a printer that is not there or cannot hold a job, and for a document that cannot be printed. */
export async function submitHeld(
  winspool: Winspool,
  printers: ReturnType<typeof createPrinters>,
  submission: Submission,
): Promise<Submitted> {
  const printer = await printers.find(submission.printerOsName)
  if (!printer) throw new SpoolerRefusal(`There is no printer "${submission.printerOsName}".`, ['printer-not-found'])
  if (isUnspooled(printer))
    throw new SpoolerRefusal(
      'Windows prints directly to this printer, so that a job cannot be held. Nothing was printed. Allow spooling in the properties of the printer, "Advanced".',
      ['spooling-disabled'],
    )
  const isPdf = submission.contentType.startsWith('pdf')
  const submitted = isPdf
    ? await submitPdf(winspool, printers, printer, submission)
    : await submitRaw(winspool, submission)
  const { token, printerOsName: printerName } = submission
  return { ...submitted, spoolerJobId: keyToId({ jobId: submitted.jobId, token, printerName }) }
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
  const job = await preparePdf(winspool, submission, await printers.getOffer(printer))
  try {
    const name = documentName(submission.title, submission.token)
    const document = await winspool.startPages(printer.name, { name, devmode: job.devmode })
    await fillHeld(winspool, printer.name, document, () => job.drawOn(document))
    return { jobId: document.jobId, warnings: job.warnings }
  } finally {
    job.close()
  }
}

async function submitRaw(winspool: Winspool, submission: Submission): Promise<Queued> {
  const { printerOsName, title, token, file, qty } = submission
  const datatype = (await winspool.driverVersion(printerOsName)) === XPS_DRIVER ? 'XPS_PASS' : 'RAW'
  const document = await winspool.startRaw(printerOsName, { name: documentName(title, token), datatype })
  await fillHeld(winspool, printerOsName, document, async () => {
    for (let set = 1; set <= qty; set++)
      for await (const chunk of createReadStream(file)) await writeAll(document, chunk)
  })
  return { jobId: document.jobId, warnings: [] }
}

/** A job that could not be held, or not be filled, is taken back: what is left of one is never released. */
async function fillHeld(
  winspool: Winspool,
  printerName: string,
  document: RawDocument | PagedDocument,
  fill: () => Promise<void>,
): Promise<void> {
  try {
    await winspool.setJob(printerName, document.jobId, 'pause')
    const job = (await winspool.enumJobs(printerName)).find(({ id }) => id === document.jobId)
    if (!job || (job.status & JOB_STATUS.paused) === 0) throw new Error('Windows did not pause the job.')
    await fill()
    await document.end()
  } catch (error) {
    await document.abort()
    throw error
  }
}

async function writeAll(document: RawDocument, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const written = await document.write(bytes.subarray(at))
    if (written <= 0) throw new Error('The spooler took no more of the document; its disk may be full.')
    at += written
  }
}
