import type { FormBody, PrintJobData, Query } from './api.ts'
import { EndedJobs } from './ended-jobs.ts'
import { TimeoutError } from './errors.ts'
import { createForm } from './form.ts'
import type {
  PrintJobEvent,
  PrintJobExplanation,
  PrintJobRequest,
  PrintJobValidation,
  WebhookDelivery,
} from './gen/schema.ts'
import { type Call, type Http, path, type RequestOptions } from './http.ts'
import type { List } from './list.ts'
import { type DocumentSource, openDocument } from './open-document.ts'
import { PrintJob } from './print-job.ts'
import type { Printers } from './printers.ts'

/** A new job. Its document is one of `file`, `path`, `content` with `contentType`, and `reprintOf`. */
export interface NewPrintJob extends Omit<PrintJobRequest, 'printerId' | 'contentType'>, DocumentSource {
  /** The id, the number or the name of the printer: see `printers.find`. */
  printer: string | number
  /** Optional for a `file`, whose format the service recognizes. `raw` sends any file to the printer unchanged. */
  contentType?: PrintJobRequest['contentType'] | FormBody<'createPrintJob'>['contentType']
}

export interface CreateOptions extends RequestOptions {
  /**
   * Makes the creation safe to repeat, also by a later run of your program: for 24 hours, the same key with the same job returns the first
   * job. Default: a new key for each call, the same in all its attempts.
   */
  idempotencyKey?: string | undefined
}

export interface WaitOptions {
  /** Milliseconds. Default: no limit. A job waits for its agent until its `expiresAt`. */
  timeout?: number | undefined
  /** Ends the wait with the reason of the signal. */
  signal?: AbortSignal | undefined
}

export class PrintJobs {
  readonly #http: Http
  readonly #printers: Printers
  readonly #ended: EndedJobs

  constructor(http: Http, printers: Printers) {
    this.#http = http
    this.#printers = printers
    this.#ended = new EndedJobs(http)
  }

  /**
   * Accepts a document for one printer. A `201` is durable: the job reaches exactly one final state, `done`, `error`,
   * `cancelled` or `expired`.
   *
   * The document is a PDF, an image (PNG, JPEG, GIF, TIFF or WebP), which is converted to PDF, or raw data in the
   * language of the printer.
   *
   * The body is JSON, or a form (`multipart/form-data`) with the document as the part `file`, which needs no base64:
   * `curl -F file=@invoice.pdf …`. The same job in both forms is the same job.
   *
   * A job for an offline printer is accepted and waits. The jobs of a printer are printed in the order of their
   * acceptance.
   *
   * Send an `Idempotency-Key` with every creation, so that a request whose response was lost can be repeated and prints
   * once.
   *
   * An accepted job can fail later, for example because its URL cannot be fetched or its image is damaged. Its `state`
   * becomes `error` and `stateMessage` contains the reason. It is not retried; a reprint is a new job with `reprintOf`.
   *
   * Requires the scope `print`.
   *
   * @operation createPrintJob
   * @throws PrinterNotFound if `printer` is no id, and no printer or more than one has this name or number.
   * @throws PlatenError if `file` is not bytes, or the file of `path` is not readable.
   */
  async create(job: NewPrintJob, options: CreateOptions = {}): Promise<PrintJob> {
    const { idempotencyKey = crypto.randomUUID(), ...rest } = options
    const { printer, file, path, ...fields } = job
    const document = await openDocument({ file, path })
    const request = { printerId: await this.#printers.findId(printer, rest), ...fields }
    const call = { method: 'POST', path: '/v1/printjobs', idempotencyKey, ...toBody(request, document) }
    return this.#wrap(await this.#http.json<'createPrintJob'>(call, rest))
  }

  /**
   * Answers what a creation with the same fields would do, without creating a job: the error that it would get, and
   * what would keep the job from being printed as requested.
   *
   * The body is that of a creation without the document: leave `content` out. A URL in `content` is checked as at a
   * creation, but not fetched. Limits of prints and of stored jobs are not checked, because they can change until the
   * creation.
   *
   * Requires the scope `print`.
   *
   * @operation validatePrintJob
   * @throws PrinterNotFound if `printer` is no id, and no printer or more than one has this name or number.
   */
  async validate(
    job: Omit<NewPrintJob, keyof DocumentSource | 'contentType'> & Pick<PrintJobRequest, 'contentType'>,
    options?: RequestOptions,
  ): Promise<PrintJobValidation> {
    const { printer, ...fields } = job
    const body = { printerId: await this.#printers.findId(printer, options), ...fields }
    return await this.#http.json<'validatePrintJob'>({ method: 'POST', path: '/v1/printjobs/validate', body }, options)
  }

  /**
   * Lists the jobs of the organization and mode of the key, the newest first by default. Several filters select the
   * jobs that match all of them.
   *
   * Requires the scope `read`.
   *
   * @operation listPrintJobs
   */
  list(query?: Query<'listPrintJobs'>, options?: RequestOptions): List<PrintJob> {
    return this.#http.list<'listPrintJobs', PrintJob>('/v1/printjobs', query, options, (data) => this.#wrap(data))
  }

  /**
   * Returns the present state of the job. Poll at most once a second until `state` is final.
   *
   * Requires the scope `read`.
   *
   * @operation getPrintJob
   */
  async get(id: string, options?: RequestOptions): Promise<PrintJob> {
    return this.#wrap(await this.#http.json<'getPrintJob'>({ method: 'GET', path: path`/v1/printjobs/${id}` }, options))
  }

  /**
   * Waits until a job has ended. All waits of a client share one request, which waits at the server. The key needs the scope `read`.
   *
   * @returns the ended job. Its state need not be `done`.
   * @throws TimeoutError if the time limit is reached. The job continues.
   */
  async wait(id: string, { timeout, signal }: WaitOptions = {}): Promise<PrintJob> {
    const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout)
    try {
      return this.#wrap(await this.#ended.wait(id, AbortSignal.any([signal, limit].filter((one) => one !== undefined))))
    } catch (error) {
      signal?.throwIfAborted()
      if (!limit?.aborted) throw error
      throw new TimeoutError(`The print job ${id} has not ended within ${timeout} ms. It continues.`)
    }
  }

  /**
   * Explains the state of the job: `headline` (whether it was printed), `cause`, and `actions` to take. The explanation
   * is derived from the states of job, printer and computer, their events and the queue, which the response contains.
   *
   * Requires the scope `read`.
   *
   * @operation explainPrintJob
   */
  async explanation(id: string, options?: RequestOptions): Promise<PrintJobExplanation> {
    const call = { method: 'GET', path: path`/v1/printjobs/${id}/explanation` }
    return await this.#http.json<'explainPrintJob'>(call, options)
  }

  /**
   * Lists every state of the job and the actor of each change, the oldest first. The list has no pages.
   *
   * Requires the scope `read`.
   *
   * @operation listPrintJobEvents
   */
  async events(id: string, options?: RequestOptions): Promise<PrintJobEvent[]> {
    const call = { method: 'GET', path: path`/v1/printjobs/${id}/events` }
    return (await this.#http.json<'listPrintJobEvents'>(call, options)).data
  }

  /**
   * Cancels a job in `queued` or `sent`, which its agent has not yet received. For a job in any other state the
   * response is `409 not_cancellable`, and the job does not change.
   *
   * Requires the scope `print`.
   *
   * @operation cancelPrintJob
   */
  async cancel(id: string, options?: RequestOptions): Promise<PrintJob> {
    const call = { method: 'POST', path: path`/v1/printjobs/${id}/cancel` }
    return this.#wrap(await this.#http.json<'cancelPrintJob'>(call, options))
  }

  /**
   * Returns the bytes of the stored document, which are stored for 7 days, or until the job has ended if its `retain`
   * is false. Documents are untrusted: the response is a download and must not be shown as a page. If the stored bytes
   * have changed, the connection is closed before the last byte. The operator can switch this operation off, then the
   * response is `403 forbidden`.
   *
   * Requires the scope `admin`.
   *
   * @operation getPrintJobDocument
   */
  async document(id: string, options?: RequestOptions): Promise<Blob> {
    const call = { method: 'GET', path: path`/v1/printjobs/${id}/document` }
    return await this.#http.send(call, options, (response) => response.blob())
  }

  /**
   * Lists the deliveries of the events of the job to all endpoints, the newest first by default. `webhookId` and `id`
   * identify a delivery for reading its attempts and for replaying it. Deliveries are stored for 30 days; those to
   * deleted endpoints are not listed.
   *
   * Requires the scope `admin`.
   *
   * @operation listPrintJobDeliveries
   */
  deliveries(id: string, query?: Query<'listPrintJobDeliveries'>, options?: RequestOptions): List<WebhookDelivery> {
    return this.#http.list<'listPrintJobDeliveries'>(path`/v1/printjobs/${id}/deliveries`, query, options)
  }

  #wrap(data: PrintJobData): PrintJob {
    return new PrintJob(this, data)
  }
}

/** @returns a form if there is a document, else JSON. */
const toBody = (fields: Record<string, unknown>, document: Blob | undefined): Pick<Call, 'body' | 'form'> =>
  document ? { form: createForm(fields, document) } : { body: fields }
