/**
 * Makes the calls of the Windows driver one by one and shows their results, also after a failed call. For systems with
 * an incomplete spooler, such as Wine, on which `verify-windows.ts` ends at the first missing call. The documents may
 * be printed, because nothing waits for the pause of a job.
 *
 *     node agent/packages/verify-windows-calls.ts "NAME" RAW-FILE PDF-FILE
 *
 * The exit code is the number of failed calls.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { readOffer } from '../spoolers/windows/device-capabilities.ts'
import { toDocumentName } from '../spoolers/windows/job-names.ts'
import { preparePdf } from '../spoolers/windows/print-pdf.ts'
import { JOB_COMMANDS, type JobCommand } from '../spoolers/windows/winspool.ts'
import { loadWinspool } from '../spoolers/windows/winspool-koffi.ts'

const DETAILS_MAX_CHARACTERS = 120

const [printerOsName = '', rawFile = '', pdfFile = ''] = process.argv.slice(2)
const winspool = await loadWinspool()
let failures = 0

const printers = await attempt('EnumPrintersW', () => winspool.enumPrinters())
const printer = printers?.find(({ name }) => name === printerOsName)
if (!printer) throw new Error(`The computer has no printer "${printerOsName}".`)
await attempt('GetDefaultPrinterW', () => winspool.defaultPrinter())
await attempt('GetPrinterDriverW', () => winspool.driverVersion(printerOsName))
const offer = await readOffer(winspool, printer)
await attempt('DeviceCapabilitiesW', async () => offer.capabilities)
await attempt('EnumJobsW', () => winspool.enumJobs(printerOsName))
const name = toDocumentName('Platen verification', randomUUID())
await printRaw()
await printPdf()
process.exitCode = failures

async function printRaw(): Promise<void> {
  const document = await attempt('StartDocPrinterW', () => winspool.startRaw(printerOsName, { name, datatype: 'RAW' }))
  if (!document) return
  await command(document.jobId, 'pause')
  await attempt('WritePrinter', async () => document.write(await readFile(rawFile)))
  await attempt('EndDocPrinter', () => document.end())
  await endJob(document.jobId)
}

async function printPdf(): Promise<void> {
  const submission = { file: pdfFile, options: {}, qty: 1, printerOsName }
  const pdf = await attempt('DocumentPropertiesW', () => preparePdf(winspool, submission, offer))
  if (!pdf) return
  const document = await attempt('CreateDCW, GetDeviceCaps, StartDocW', () =>
    winspool.startPages(printerOsName, { name, devmode: pdf.devmode }),
  )
  if (!document) return
  await command(document.jobId, 'pause')
  await attempt('StartPage, StretchDIBits, EndPage', () => pdf.printOn(document))
  await attempt('EndDoc', () => document.end())
  await endJob(document.jobId)
}

async function endJob(jobId: number): Promise<void> {
  for (const each of ['retain', 'resume', 'release', 'delete'] as const) await command(jobId, each)
}

async function command(jobId: number, each: JobCommand): Promise<void> {
  await attempt(`SetJobW, ${each} (${JOB_COMMANDS[each]})`, () => winspool.setJob(printerOsName, jobId, each))
}

/** @returns undefined if the call failed. */
async function attempt<T>(calls: string, make: () => Promise<T>): Promise<T | undefined> {
  try {
    const result = await make()
    process.stdout.write(`ok   ${calls} ${(JSON.stringify(result) ?? '').slice(0, DETAILS_MAX_CHARACTERS)}\n`)
    return result
  } catch (error) {
    failures++
    process.stdout.write(`FAIL ${calls}: ${String(error)}\n`)
    return undefined
  }
}
