/** A printer on the network, as its queue sees it: one driver for each way to speak to one. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { SpoolerState, Submission } from '../spooler.ts'
import type { NetworkJob } from './job-store.ts'

export interface Device {
  /** As it is reported; it may take a question to the printer, and then says what it knows within 2 s. */
  printer(): Promise<MessageInitShape<typeof ReportedPrinterSchema>>

  /**
   * @returns a sentence for each option that is dropped.
   * @throws SpoolerRefusal when the printer will never print this.
   */
  accept(submission: Submission): Promise<string[]>

  /**
   * Prints a job.
   *
   * @returns how it ended.
   * @throws NothingSent when the printer has certainly heard nothing of the job: it may be tried again. After any other error it is not
   *   known whether it prints.
   */
  print(job: NetworkJob, printing: Printing): Promise<Ended>

  /**
   * Goes on with a job that was begun when an earlier process died.
   *
   * @returns undefined when the printer cannot tell what became of it.
   */
  resume?(job: NetworkJob, printing: Printing): Promise<Ended | undefined>
}

export interface Printing {
  /** Path of the document. */
  file: string
  /**
   * To be awaited before the printer hears of the job: from then on a crash leaves a job that may have been printed. Called with the
   * printer's own id of the job once that is known.
   *
   * @throws NothingSent when that cannot be recorded and the printer has not heard of the job yet.
   */
  begin(deviceJob?: string): Promise<void>
  /** What people should know of a job that is under way. */
  report(message: string | undefined, reasons?: string[]): void
  /** The job was taken out: nothing more of it may be sent. */
  signal: AbortSignal
}

export type Ended = Required<SpoolerState> & { is: 'completed' | 'aborted' }

/** The printer has heard nothing of the job. The message is a sentence for people. */
export class NothingSent extends Error {
  override name = 'NothingSent'
  readonly reasons: string[]

  /** @param reasons IPP keywords. */
  constructor(message: string, reasons = ['connecting-to-device']) {
    super(message)
    this.reasons = reasons
  }
}

export const COMPLETED: Ended = { is: 'completed', message: '', reasons: ['job-completed-successfully'] }
