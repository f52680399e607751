/**
 * What the agent needs of a print spooler. Every driver keeps the promise that at-most-once printing rests on: a job that was
 * submitted and not released is never printed, whatever crashes.
 */
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'

export interface Spooler {
  /** All printers, complete: one that is missing is gone. */
  printers(): Promise<MessageInitShape<typeof ReportedPrinterSchema>[]>

  /**
   * Hands a document over, to be kept until it is released. The spooler has its own copy when this returns.
   *
   * @throws SpoolerRefusal when the spooler will never take this job. After any other error it may have it or not: ask `find`.
   */
  submitHeld(submission: Submission): Promise<Submitted>

  /** Lets the spooler print a held job. After an error it may print or not: ask `state`. */
  release(spoolerJobId: string): Promise<void>

  /**
   * Takes a job out, whatever it is doing: nothing more of it is printed when this returns. It ends as `aborted`, or leaves no trace; one
   * that has ended already, or is not known, is left as it is. After an error it may be there still: ask again.
   */
  remove(spoolerJobId: string): Promise<void>

  /**
   * The job that was submitted with this token; undefined when the spooler has none.
   *
   * @param printerOsName where it was submitted to, as far as that is known: then others need not answer.
   */
  find(token: string, printerOsName?: string): Promise<{ spoolerJobId: string; state: SpoolerState } | undefined>

  /** Undefined when the spooler does not know the job, or does not know it any more. */
  state(spoolerJobId: string): Promise<SpoolerState | undefined>

  /**
   * The states of a released job: the present one at once, then each change. Ends after a final state, or without one when the
   * spooler does not know the job any more.
   *
   * @throws the signal's AbortError.
   */
  watch(spoolerJobId: string, signal: AbortSignal): AsyncIterable<SpoolerState>

  /**
   * The agent ends, and asks nothing more. A spooler that works within the agent begins nothing more, and resolves when what it is doing has
   * come to an end; the process may be gone before that.
   */
  close?(): Promise<void>
}

export interface Submitted {
  /** The spooler's id of the job. */
  spoolerJobId: string
  /** What the spooler or its printer cannot do of what was asked: a whole sentence each, which names the option and its value. */
  warnings: string[]
}

export interface Submission {
  /** Stands in the spooler job's name, so that the job can be found when its id got lost. */
  token: string
  title: string
  printerOsName: string
  /** Path of the document. */
  file: string
  /** As in the contract: "pdf_base64", "raw_uri", … */
  contentType: string
  /** How often the whole job is printed, by one spooler job: a crash cannot come between two prints. */
  qty: number
  options: JsonObject
}

/**
 * - `held`: kept, not to be printed before it is released.
 * - `pending`: waits for its printer.
 * - `processing`: goes to the printer, or stands there waiting for paper.
 * - `completed`, `aborted`: final.
 */
export interface SpoolerState {
  is: 'held' | 'pending' | 'processing' | 'completed' | 'aborted'
  /** For people; why a job was aborted. */
  message?: string
  /** IPP keywords, "job-aborted-by-system". */
  reasons: string[]
}

/** The spooler will not take the job, now or later. Nothing was printed. */
export class SpoolerRefusal extends Error {
  override name = 'SpoolerRefusal'
  readonly reasons: string[]

  /** @param reasons keywords for the job's `stateReasons`. */
  constructor(message: string, reasons: string[]) {
    super(message)
    this.reasons = reasons
  }
}
