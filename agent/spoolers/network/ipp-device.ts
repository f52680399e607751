/**
 * An IPP printer without a queue in the operating system. It receives documents unchanged, so it must support PDF
 * itself.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '@bufbuild/protobuf'
import type { IppAttributes, IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { PRINTER_STATES } from '@platen/ipp/enums.ts'
import { openIppClient } from '../../ipp/client.ts'
import type { AddressGuard } from '../../ipp/http.ts'
import { IppError } from '../../ipp/ipp-error.ts'
import { toCapabilities } from '../cups/capabilities.ts'
import { CANCEL_LATE } from '../cups/cups-jobs.ts'
import { mapOptions, mapRawOptions } from '../cups/options.ts'
import { toPrinterState } from '../cups/printer-state.ts'
import { offersInteger, type Queue, toReportedQueue } from '../cups/queue.ts'
import { ignoredOption } from '../ignored-option.ts'
import { inspectPdf } from '../pdf/inspections.ts'
import {
  COMPLETION_UNCONFIRMED,
  type PdfInfo,
  REFUSED_BY_SYSTEM,
  REQUIRES_AUTHENTICATION,
  SpoolerRefusal,
} from '../spooler.ts'
import { toSentence } from '../to-sentence.ts'
import type { NetworkPrinter } from './config.ts'
import { type Device, type FinalState, NothingSent, type Printing } from './device.ts'
import {
  type AcceptedJob,
  cancelJob,
  explainFailure,
  findJob,
  followJob,
  type IppDocument,
  isBusy,
  PRINTED,
  printJob,
} from './ipp-job.ts'
import { createIppPrinter } from './ipp-printer.ts'
import type { NetworkJob } from './job-store.ts'
import { checkKey } from './key-pin.ts'

const RETRY_INTERVAL_MS = 2_000

/**
 * A printer that prints while it reads accepts no data as long as it has no paper, and others answer when the last page
 * is printed: neither is cut off. The limit of the answer is that of CUPS and of most drivers.
 */
const DOCUMENT_DEADLINES = { idleMs: undefined, answerMs: 300_000 }

const PDF = 'application/pdf'

/** The printer detects the format. */
const AUTO_DETECT = 'application/octet-stream'

/**
 * @param printer has an `ipp:` or `ipps:` URI.
 * @param dir stores the last attributes and keys of printers; absent for no storage, and no check of keys.
 */
export function createIppDevice(printer: NetworkPrinter, dir?: string, guard?: AddressGuard): Device {
  const check = dir === undefined ? undefined : (sha256: string) => checkKey(dir, printer, sha256)
  const client = openIppClient({ url: printer.uri, checkKey: check, guard, documentDeadlines: DOCUMENT_DEADLINES })
  const ipp = createIppPrinter(client, printer.uri, dir)

  /** Follows a job that the printer may have received. Errors are retried until the printer answers. */
  async function follow(job: NetworkJob, printing: Printing, id?: number): Promise<FinalState | undefined> {
    for (;;) {
      try {
        const found = id ?? (await findJob(client, job.token))
        if (found === undefined) return undefined
        await printing.begin(String(found))
        const end = await followJob(client, { id: found }, false, printing)
        return end === 'unknown' ? undefined : end === 'forgotten' ? await awaitPrinter(printing) : end
      } catch (error) {
        if (error instanceof IppError && !isBusy(error)) return undefined
        printing.signal.throwIfAborted()
        printing.report(explainFailure(error), ['connecting-to-device'])
        await sleep(RETRY_INTERVAL_MS, undefined, { signal: printing.signal }).catch(() => undefined)
      }
    }
  }

  /** Follows a job that the printer has accepted. */
  async function followAccepted({ id, uri, isCompleted }: AcceptedJob, printing: Printing): Promise<FinalState> {
    if (isCompleted) return PRINTED
    if (id === undefined) return await awaitPrinter(printing)
    await printing.begin(String(id))
    const end = await followJob(client, { id, uri }, true, printing)
    return end === 'unknown' ? UNKNOWN_JOB : end === 'forgotten' ? await awaitPrinter(printing) : end
  }

  /**
   * The end of an accepted job about which the printer says nothing. It is not printed as long as the printer is
   * stopped.
   */
  async function awaitPrinter({ signal }: Printing): Promise<FinalState> {
    for (;;) {
      const attributes = await ipp.queryState(signal)
      signal.throwIfAborted()
      if (!attributes || !isStopped(attributes)) return NOT_CONFIRMED
      await sleep(RETRY_INTERVAL_MS, undefined, { signal })
    }
  }

  /**
   * Adds what a stopped printer says of itself to the reports of its job, because few printers say it of the job, and
   * none while it reads a document.
   */
  async function withPrinterState<T>(printing: Printing, work: (printing: Printing) => Promise<T>): Promise<T> {
    const end = new AbortController()
    const signal = AbortSignal.any([end.signal, printing.signal])
    let last: { message?: string | undefined; reasons?: string[] } = {}
    let printer = { stateDetail: '', stateReasons: [] as string[] }
    const show = () => {
      const reasons = new Set([...(last.reasons ?? []), ...printer.stateReasons])
      printing.report([last.message, printer.stateDetail].filter(Boolean).join(' ') || undefined, [...reasons])
    }
    async function watch(): Promise<void> {
      for (;;) {
        await sleep(RETRY_INTERVAL_MS, undefined, { signal })
        const attributes = await ipp.queryState(signal)
        if (!attributes) continue
        printer = isStopped(attributes) ? toPrinterState(attributes, false) : { stateDetail: '', stateReasons: [] }
        show()
      }
    }
    const watching = watch().catch(() => undefined)
    try {
      return await work({
        ...printing,
        report(message, reasons) {
          last = { message, reasons }
          show()
        },
      })
    } finally {
      end.abort()
      await watching
    }
  }

  /** @throws NothingSent if the printer does not answer or rejects jobs. */
  async function queryPrinter(signal: AbortSignal): Promise<IppAttributes> {
    const attributes = await ipp.query(signal).catch((error) => {
      signal.throwIfAborted()
      throw new NothingSent(explainFailure(error))
    })
    if (attributes['printer-is-accepting-jobs']?.[0] === false)
      throw new NothingSent('The printer does not accept jobs at the moment.', ['printer-not-accepting-jobs'])
    return attributes
  }

  /** @returns the accepted job, or the final state of a refused one; undefined if the printer may have the job. */
  async function send(
    job: NetworkJob,
    document: IppDocument,
    printing: Printing,
    printedSets: number,
  ): Promise<AcceptedJob | FinalState | undefined> {
    try {
      return await printJob(client, job, document, printing)
    } catch (error) {
      if (error instanceof IppError) return toRefused(error, printedSets)
      if (error instanceof NothingSent) throw error
      if (printing.signal.aborted) {
        const id = await findJob(client, job.token).catch(() => undefined)
        if (id !== undefined) await cancelJob(client, id)
        throw error
      }
      return undefined
    }
  }

  async function printOne(
    job: NetworkJob,
    document: IppDocument,
    printing: Printing,
    printedSets: number,
  ): Promise<FinalState> {
    await printing.begin()
    const result = await send(job, document, printing, printedSets)
    if (!result) return (await follow(job, printing)) ?? UNKNOWN_JOB
    return 'is' in result ? result : await followAccepted(result, printing)
  }

  /**
   * Retries until the printer accepts the job, because a repetition of the whole would print the earlier sets again.
   */
  async function printNext(
    job: NetworkJob,
    document: IppDocument,
    printing: Printing,
    printedSets: number,
  ): Promise<FinalState> {
    for (;;) {
      try {
        return await printOne(job, document, printing, printedSets)
      } catch (error) {
        if (!(error instanceof NothingSent)) throw error
        printing.report(error.message, error.reasons)
        await sleep(RETRY_INTERVAL_MS, undefined, { signal: printing.signal }).catch(() => undefined)
        printing.signal.throwIfAborted()
      }
    }
  }

  return {
    async printer() {
      const { attributes = {}, isReachable, cause } = await ipp.report()
      const [info] = attributes['printer-info'] ?? []
      return {
        osName: printer.name,
        name: printer.name,
        description: printer.description ?? (typeof info === 'string' ? info : ''),
        isDefault: false,
        ...toPrinterState(attributes, !isReachable, cause),
        capabilities: toCapabilities(attributes, attributes, toFormats(attributes)),
      }
    },

    async check() {
      const attributes = await ipp.query().catch((error: unknown) => {
        throw new Error(explainFailure(error), { cause: error })
      })
      if (!attributes['document-format-supported']?.includes(PDF))
        throw new SpoolerRefusal(NO_PDF, ['document-format-not-supported'])
    },

    async accept(submission) {
      const attributes = ipp.lastAttributes()
      if (!attributes) return []
      return toDocument(submission, attributes, submission.pdf).warnings
    },

    async print(job, printing) {
      const attributes = await queryPrinter(printing.signal)
      const document = await resolveDocument(job, attributes, printing.file)
      if ('is' in document) return document
      return await withPrinterState(printing, async (printing) => {
        const first = await printOne(job, document, printing, 0)
        const states = [first]
        for (let printedSets = 1; printedSets < document.jobs && states.at(-1)?.is === 'completed'; printedSets++)
          states.push(await printNext(job, document, printing, printedSets))
        const last = states.at(-1) ?? first
        return last.is === 'completed' && states.includes(NOT_CONFIRMED) ? NOT_CONFIRMED : last
      })
    },

    async resume(job, printing) {
      const id = job.deviceJob === null ? undefined : Number(job.deviceJob)
      const state = await withPrinterState(printing, (printing) => follow(job, printing, id))
      const attributes = ipp.lastAttributes()
      const document = attributes && (await resolveDocument(job, attributes))
      // It is unknown how many of several jobs were sent.
      return document && 'jobs' in document && document.jobs > 1 ? undefined : state
    },
  }
}

const NO_PDF =
  'This printer does not support PDF. Add it as a raw printer with its language, or add it to the operating system, which can convert PDFs for it.'

const NOT_CONFIRMED: FinalState = {
  is: 'completed',
  confirmedBy: 'nobody',
  message: 'The printer accepted the whole document but does not say whether it has printed it.',
  reasons: [COMPLETION_UNCONFIRMED],
}

const isStopped = (attributes: IppAttributes) =>
  PRINTER_STATES[attributes['printer-state']?.[0] as keyof typeof PRINTER_STATES] === 'stopped'

const UNKNOWN_JOB: FinalState = {
  is: 'aborted',
  message: 'The printer does not know the job, so it is unknown what was printed. It was not sent again.',
  reasons: ['unconfirmed'],
}

/** Undefined if the printer has not answered yet. */
function toFormats({ 'document-format-supported': supported }: IppAttributes) {
  if (!supported) return undefined
  return { names: [...(supported.includes(PDF) ? ['pdf'] : []), ...(supported.includes(AUTO_DETECT) ? ['raw'] : [])] }
}

const isPdf = ({ contentType }: Pick<NetworkJob, 'contentType'>) => contentType.startsWith('pdf_')

/** @throws SpoolerRefusal if the printer does not support the format. */
function toDocument(
  { contentType, options, qty }: Pick<NetworkJob, 'contentType' | 'options' | 'qty'>,
  attributes: IppAttributes,
  pdf: PdfInfo | undefined,
): { document: IppDocument; warnings: string[] } {
  const format = isPdf({ contentType }) ? PDF : AUTO_DETECT
  if (!attributes['document-format-supported']?.includes(format))
    throw new SpoolerRefusal(
      format === PDF
        ? 'This printer does not support PDF. Nothing was printed. Add it to the operating system, which can convert PDFs for it.'
        : 'This printer does not support raw documents. Nothing was printed. Send a PDF.',
      ['document-format-not-supported'],
    )
  if (format === AUTO_DETECT) {
    // Few printers repeat a document of a format that they detect.
    const { jobs, attributes: mapped } = mapRawOptions(1, attributes)
    const jobAttributes = { ...mapped, ...toCancelLate(attributes) }
    return { document: { format, times: qty, jobs, jobAttributes }, warnings: [] }
  }
  const { jobs, attributes: mapped, warnings } = mapOptions(options, qty, toQueue(attributes), pdf)
  const { jobAttributes, dropped } = dropUnsupported(mapped, options, attributes)
  return { document: { format, times: 1, jobs, jobAttributes }, warnings: [...warnings, ...dropped] }
}

/**
 * The printer can have changed since the job was accepted, so the final state can be a refusal.
 *
 * @param file absent if the pages of the document do not matter.
 */
async function resolveDocument(
  job: NetworkJob,
  attributes: IppAttributes,
  file?: string,
): Promise<IppDocument | FinalState> {
  try {
    const inspection = file !== undefined && isPdf(job) ? await inspectPdf(file) : undefined
    return toDocument(job, attributes, inspection?.info).document
  } catch (error) {
    if (!(error instanceof SpoolerRefusal)) throw error
    return { is: 'aborted', message: error.message, reasons: error.reasons }
  }
}

/** The attributes of the device are used as those of a queue. */
const toQueue = (attributes: IppAttributes): Queue => ({
  attributes,
  ...toReportedQueue(toCapabilities(attributes, attributes)),
})

/** The printer may be a queue of CUPS on another computer. */
const toCancelLate = (attributes: IppAttributes): IppTypedAttributes =>
  attributes['job-cancel-after-supported'] ? CANCEL_LATE : {}

/**
 * Drops page selection and rotation if the device does not support them, which CUPS would apply, and what only CUPS
 * understands: devices refuse a job with both `media` and `media-col`.
 */
function dropUnsupported(mapped: IppTypedAttributes, options: JsonObject, attributes: IppAttributes) {
  const {
    pdfAutoRotate: _,
    media: _media,
    'page-ranges': ranges,
    'orientation-requested': orientation,
    ...others
  } = mapped
  const jobAttributes: IppTypedAttributes = { ...others, ...toCancelLate(attributes) }
  const dropped: string[] = []
  if (ranges && attributes['page-ranges-supported']?.[0] === true) jobAttributes['page-ranges'] = ranges
  else if (ranges && options.pages !== undefined)
    dropped.push(ignoredOption('pages', options.pages, 'this printer cannot select pages'))
  const [rotation] = [orientation].flat()
  if (rotation && offersInteger(attributes['orientation-requested-supported'], Number(rotation.value)))
    jobAttributes['orientation-requested'] = rotation
  else if (rotation && options.rotate !== undefined)
    dropped.push(ignoredOption('rotate', options.rotate, 'this printer cannot rotate pages'))
  return { jobAttributes, dropped }
}

/** The printer refused the job, or one of its sets after it printed others. */
function toRefused({ status, detail }: IppError, printedSets: number): FinalState {
  const cause = toSentence(`The printer refused the job (${status})${detail ? `: ${detail}` : ''}`)
  const toState = (message: string, reason: string): FinalState => ({ is: 'aborted', message, reasons: [reason] })
  if (printedSets > 0) return toState(`${cause} It had printed a part of it before.`, 'job-aborted-by-system')
  if (status === 'client-error-not-authenticated')
    return toState(
      'The printer requires a user name and a password. Nothing was printed. Let it accept jobs without them, or add it to the operating system with them.',
      REQUIRES_AUTHENTICATION,
    )
  const isFormat = status === 'client-error-document-format-not-supported'
  return toState(`${cause} Nothing was printed.`, isFormat ? 'document-format-not-supported' : REFUSED_BY_SYSTEM)
}
