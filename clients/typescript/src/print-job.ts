import type { PrintJobData } from './api.ts'
import type { JobState, PrintJobEvent, PrintJobExplanation } from './gen/schema.ts'
import type { RequestOptions } from './http.ts'
import type { PrintJobs, WaitOptions } from './print-jobs.ts'

const FINAL_STATES: readonly JobState[] = ['done', 'error', 'cancelled', 'expired']

/** A print job as the API returned it, with the operations of this job. Its JSON consists of the fields alone. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns the fields of the API
export class PrintJob {
  readonly #jobs: PrintJobs

  constructor(jobs: PrintJobs, data: PrintJobData) {
    this.#jobs = jobs
    Object.assign(this, data)
  }

  /** Whether the job has ended: `done`, `error`, `cancelled` or `expired`. */
  get isFinal(): boolean {
    return FINAL_STATES.includes(this.state)
  }

  /** Waits until the job has ended: see `printJobs.wait`. Its state need not be `done`. */
  async wait(options?: WaitOptions): Promise<PrintJob> {
    return this.isFinal ? this : await this.#jobs.wait(this.id, options)
  }

  /** Explains the state of the job: see `printJobs.explanation`. */
  async explanation(options?: RequestOptions): Promise<PrintJobExplanation> {
    return await this.#jobs.explanation(this.id, options)
  }

  /** Lists the events of the job: see `printJobs.events`. */
  async events(options?: RequestOptions): Promise<PrintJobEvent[]> {
    return await this.#jobs.events(this.id, options)
  }

  /** Cancels the job: see `printJobs.cancel`. */
  async cancel(options?: RequestOptions): Promise<PrintJob> {
    return await this.#jobs.cancel(this.id, options)
  }
}

export interface PrintJob extends PrintJobData {}
