/** A printer that speaks IPP, without a queue in the operating system: it gets documents as they are, and must print PDF itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IppAttributes, IppTypedAttributes } from '../../ipp/attributes.ts'
import { openIppClient } from '../../ipp/client.ts'
import { IppError } from '../../ipp/ipp-error.ts'
import { toCapabilities } from '../cups/capabilities.ts'
import { checkPdf } from '../cups/check-pdf.ts'
import { mapOptions } from '../cups/options.ts'
import { toPrinterState } from '../cups/printer-state.ts'
import { offersInteger, type Queue, toReportedQueue } from '../cups/queue.ts'
import { SpoolerRefusal } from '../spooler.ts'
import type { NetworkPrinter } from './config.ts'
import { type Device, type Ended, NothingSent, type Printing } from './device.ts'
import { cancelJob, cannotBeReached, findJob, followJob, type IppDocument, printJob } from './ipp-job.ts'
import { createIppPrinter } from './ipp-printer.ts'
import type { NetworkJob } from './job-store.ts'

const RETRY_INTERVAL_MS = 2_000

const PDF = 'application/pdf'

/** The printer finds out by itself what it is given. */
const ANY = 'application/octet-stream'

/**
 * @param printer with an `ipp:` or `ipps:` URI.
 * @param dir holds what printers have said of themselves; without it nothing is remembered.
 */
export function createIppDevice(printer: NetworkPrinter, dir?: string): Device {
  const client = openIppClient({ url: printer.uri })
  const ipp = createIppPrinter(client, printer.uri, dir)

  /** Once the printer may have heard of the job: whatever fails, it is asked what it has. */
  async function follow(job: NetworkJob, printing: Printing, id?: number): Promise<Ended | undefined> {
    for (;;) {
      try {
        const found = id ?? (await findJob(client, job.token))
        if (found === undefined) return undefined
        await printing.begin(String(found))
        return await followJob(client, found, printing)
      } catch (error) {
        if (error instanceof IppError) return undefined
        printing.signal.throwIfAborted()
        printing.report('The printer cannot be reached.', ['connecting-to-device'])
        await sleep(RETRY_INTERVAL_MS, undefined, { signal: printing.signal }).catch(() => undefined)
      }
    }
  }

  /** @throws NothingSent when the printer does not answer, or takes no jobs. */
  async function queryPrinter(signal: AbortSignal): Promise<IppAttributes> {
    const attributes = await ipp.ask(signal).catch(() => {
      signal.throwIfAborted()
      throw cannotBeReached()
    })
    if (attributes['printer-is-accepting-jobs']?.[0] === false)
      throw new NothingSent('The printer accepts no jobs at the moment.', ['printer-not-accepting-jobs'])
    return attributes
  }

  /** @returns the printer's id of the job, or how it ended; undefined when the printer has to be asked what it has. */
  async function handOver(
    job: NetworkJob,
    document: IppDocument,
    printing: Printing,
  ): Promise<number | Ended | undefined> {
    try {
      return await printJob(client, job, document, printing)
    } catch (error) {
      if (error instanceof IppError) return toEnded(error)
      if (error instanceof NothingSent) throw error
      if (printing.signal.aborted) {
        const id = await findJob(client, job.token).catch(() => undefined)
        if (id !== undefined) await cancelJob(client, id)
        throw error
      }
      return undefined
    }
  }

  return {
    async printer() {
      const { attributes = {}, isReachable } = await ipp.report()
      const [info] = attributes['printer-info'] ?? []
      return {
        osName: printer.name,
        name: printer.name,
        description: printer.description ?? (typeof info === 'string' ? info : ''),
        isDefault: false,
        ...toPrinterState(attributes, !isReachable),
        capabilities: toCapabilities(attributes, attributes),
      }
    },

    async accept(submission) {
      if (isPdf(submission)) await checkPdf(submission.file)
      const attributes = ipp.known()
      return attributes ? toDocument(submission, attributes).warnings : []
    },

    async print(job, printing) {
      const document = documentFor(job, await queryPrinter(printing.signal))
      if ('is' in document) return document
      await printing.begin()
      const given = await handOver(job, document, printing)
      if (typeof given === 'object') return given
      return (await follow(job, printing, given)) ?? UNKNOWN_JOB
    },

    resume: (job, printing) => follow(job, printing, job.deviceJob === null ? undefined : Number(job.deviceJob)),
  }
}

const UNKNOWN_JOB: Ended = {
  is: 'aborted',
  message: 'It is unknown what was printed: the printer does not know the job. It was not sent again.',
  reasons: ['unconfirmed'],
}

const isPdf = ({ contentType }: Pick<NetworkJob, 'contentType'>) => contentType.startsWith('pdf_')

/** @throws SpoolerRefusal when the printer cannot make anything of such a document. */
function toDocument(
  { contentType, options, qty }: Pick<NetworkJob, 'contentType' | 'options' | 'qty'>,
  attributes: IppAttributes,
): { document: IppDocument; warnings: string[] } {
  const format = isPdf({ contentType }) ? PDF : ANY
  if (!attributes['document-format-supported']?.includes(format))
    throw new SpoolerRefusal(
      format === PDF
        ? 'This printer does not print PDFs by itself. Nothing was printed. Add it to the operating system, which can translate for it.'
        : 'This printer takes no raw documents. Nothing was printed. Send it a PDF.',
      ['document-format-not-supported'],
    )
  if (format === ANY) return { document: { format, times: qty, jobAttributes: {} }, warnings: [] }
  const { attributes: mapped, warnings } = mapOptions(options, qty, toQueue(attributes))
  const { jobAttributes, dropped } = offered(mapped, attributes)
  return { document: { format, times: 1, jobAttributes }, warnings: [...warnings, ...dropped] }
}

/** As it was accepted; unless the printer was not known then, or can do something else now. */
function documentFor(job: NetworkJob, attributes: IppAttributes): IppDocument | Ended {
  try {
    return toDocument(job, attributes).document
  } catch (error) {
    if (!(error instanceof SpoolerRefusal)) throw error
    return { is: 'aborted', message: error.message, reasons: error.reasons }
  }
}

/** A printer without a queue is a queue that is its own device. */
const toQueue = (attributes: IppAttributes): Queue => ({
  attributes,
  ...toReportedQueue(toCapabilities(attributes, attributes)),
})

/** CUPS selects and turns pages itself where a device does not; here nobody does. */
function offered(mapped: IppTypedAttributes, attributes: IppAttributes) {
  const { pdfAutoRotate: _, 'page-ranges': ranges, 'orientation-requested': orientation, ...rest } = mapped
  const jobAttributes: IppTypedAttributes = { ...rest }
  const dropped: string[] = []
  if (ranges && attributes['page-ranges-supported']?.[0] === true) jobAttributes['page-ranges'] = ranges
  else if (ranges) dropped.push('The computer ignored the option pages: this printer does not select pages.')
  const [turn] = [orientation].flat()
  if (turn && offersInteger(attributes['orientation-requested-supported'], Number(turn.value)))
    jobAttributes['orientation-requested'] = turn
  else if (turn) dropped.push('The computer ignored the option rotate: this printer does not turn pages.')
  return { jobAttributes, dropped }
}

/** The printer has said no, so it has no job. */
function toEnded({ status }: IppError): Ended {
  const reason =
    status === 'client-error-document-format-not-supported' ? 'document-format-not-supported' : 'job-aborted-by-system'
  return { is: 'aborted', message: `The printer refused the job (${status}). Nothing was printed.`, reasons: [reason] }
}
