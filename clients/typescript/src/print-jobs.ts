import type { PrintJobData } from './api.ts'
import { EndedJobs } from './ended-jobs.ts'
import { TimeoutError } from './errors.ts'
import { createForm } from './form.ts'
import { PrintJobs as Operations } from './gen/operations.ts'
import type { Resources } from './gen/resources.ts'
import type { PrintJobForm, PrintJobRequest, PrintJobValidation } from './gen/schema.ts'
import type { Call, Http, RequestOptions } from './http.ts'
import { type DocumentSource, openDocument } from './open-document.ts'
import { PrintJob } from './print-job.ts'
import { isId } from './printers.ts'

/** A new job. Its document is one of `file`, `path`, `content` with `contentType`, and `reprintOf`. */
export interface NewPrintJob
  extends Omit<PrintJobRequest, 'printerId' | 'printer' | 'destination' | 'contentType'>,
    DocumentSource {
  /** The id, the number or the name of the printer: see `printers.find`. Required without `destination`. */
  printer?: string | number | undefined
  /** The id, the name or the number of a destination, one of whose printers takes the job. */
  destination?: string | number | undefined
  /** Optional for a `file`, whose format the service recognizes. `raw` sends any file to the printer unchanged. */
  contentType?: PrintJobRequest['contentType'] | PrintJobForm['contentType']
}

export interface CreateOptions extends RequestOptions {
  /**
   * Makes the creation safe to repeat, also by a later run of your program: for 24 hours, the same key with the same
   * job returns the first job. Default: a new key for each call, the same in all its attempts.
   */
  idempotencyKey?: string | undefined
}

export interface WaitOptions {
  /** Milliseconds. Default: no limit. A job waits for its agent until its `expiresAt`. */
  timeout?: number | undefined
  /** Ends the wait with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** A print job without its document. */
export type PrintJobToValidate = Omit<NewPrintJob, keyof DocumentSource | 'contentType'> &
  Pick<PrintJobRequest, 'contentType'>

export class PrintJobs extends Operations {
  readonly #http: Http
  readonly #resources: Resources
  readonly #ended: EndedJobs

  constructor(http: Http, resources: Resources) {
    super(http, resources)
    this.#http = http
    this.#resources = resources
    this.#ended = new EndedJobs(http)
  }

  override async create(job: NewPrintJob, options: CreateOptions = {}): Promise<PrintJob> {
    const { idempotencyKey = crypto.randomUUID(), ...rest } = options
    const { printer, file, path, ...fields } = job
    const document = await openDocument({ file, path })
    const request = { ...(await this.#findTarget(printer, rest)), ...fields }
    const call = { method: 'POST', path: '/v1/printjobs', idempotencyKey, ...toBody(request, document) }
    return this.#wrap(await this.#http.json<PrintJobData>(call, rest))
  }

  override async validate(job: PrintJobToValidate, options?: RequestOptions): Promise<PrintJobValidation> {
    const { printer, ...fields } = job
    const body = { ...(await this.#findTarget(printer, options)), ...fields }
    return await this.#http.json<PrintJobValidation>({ method: 'POST', path: '/v1/printjobs/validate', body }, options)
  }

  /**
   * Waits until a job has ended. All waits of a client share one request, which waits at the server. The key needs the
   * scope `read`.
   *
   * @param id the id or the number of the job. A number costs a request.
   * @returns the ended job. Its state need not be `done`.
   * @throws TimeoutError if the time limit is reached. The job continues.
   */
  async wait(id: string | number, { timeout, signal }: WaitOptions = {}): Promise<PrintJob> {
    const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout)
    const stop = AbortSignal.any([signal, limit].filter((one) => one !== undefined))
    try {
      const jobId = isId(id) ? id : (await this.get(id, { signal: stop })).id
      return this.#wrap(await this.#ended.wait(jobId, stop))
    } catch (error) {
      signal?.throwIfAborted()
      if (!limit?.aborted) throw error
      throw new TimeoutError(`The print job ${id} has not ended within ${timeout} ms. It continues.`)
    }
  }

  /** A destination is found by the service. */
  async #findTarget(printer: NewPrintJob['printer'], options: RequestOptions | undefined) {
    return printer === undefined ? {} : { printerId: await this.#resources.printers.findId(printer, options) }
  }

  #wrap(data: PrintJobData): PrintJob {
    return new PrintJob(this, data)
  }
}

/** @returns a form if there is a document, else JSON. */
const toBody = (fields: Record<string, unknown>, document: Blob | undefined): Pick<Call, 'body' | 'form'> =>
  document ? { form: createForm(fields, document) } : { body: fields }
