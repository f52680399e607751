/**
 * Interface of print spoolers. At-most-once printing relies on one guarantee of every driver: a job that was submitted
 * and not released is never printed, also after a crash.
 */
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { RasterSettings } from './raster/raster-printer.ts'
import type { SpoolerProblem } from './spooler-problem.ts'

export interface Spooler {
  /** All printers. A missing printer is reported as removed. */
  printers(): Promise<MessageInitShape<typeof ReportedPrinterSchema>[]>

  /**
   * Submits a held job. The spooler has its own copy of the document when this resolves.
   *
   * @throws SpoolerRefusal if the spooler will never accept this job. After any other error the job may exist: call
   *   `find`. The messages of errors are for users.
   */
  submitHeld(submission: Submission): Promise<Submitted>

  /** Releases a held job. After an error the job may print: call `state`. */
  release(spoolerJobId: string): Promise<void>

  /**
   * Removes a job in any state: nothing more of it is printed when this resolves. It becomes `aborted` or unknown. An
   * ended or unknown job is unchanged. After an error the job may still exist: call again.
   */
  remove(spoolerJobId: string): Promise<void>

  /**
   * The job that was submitted with this token; undefined for an unknown token.
   *
   * @param printerOsName the printer of the job, if known. Other printers are not queried then.
   */
  find(token: string, printerOsName?: string): Promise<{ spoolerJobId: string; state: SpoolerState } | undefined>

  /** Undefined if the spooler does not know the job. */
  state(spoolerJobId: string): Promise<SpoolerState | undefined>

  /**
   * The states of a released job: the current state immediately, then each change. Ends after a final state, or without
   * one if the spooler no longer knows the job.
   *
   * @throws the signal's AbortError.
   */
  watch(spoolerJobId: string, signal: AbortSignal): AsyncIterable<SpoolerState>

  /** Why the newest list of printers is missing or incomplete. Undefined if it is complete. */
  problem?(): SpoolerProblem | undefined

  /** The language of a raw printer, by its model; undefined if it is not recognized or has a driver. */
  recognizeRaster?(osName: string): Promise<RasterSettings | undefined>

  /**
   * The addresses of raw queues that send to a port of a printer, by the name of the queue, as of the newest list of
   * printers.
   */
  rawAddresses?(): ReadonlyMap<string, string>

  /**
   * Called at each Welcome. A spooler inside the agent sends nothing before the first one, because jobs may have ended
   * while it was stopped.
   */
  start?(): void

  /**
   * Called when the agent stops. A spooler inside the agent starts no more work, and resolves when its running work has
   * ended. The process may exit earlier.
   */
  close?(): Promise<void>
}

export interface Submitted {
  /** The spooler's id of the job. */
  spoolerJobId: string
  /** One sentence per ignored option, with its name and value. */
  warnings: string[]
  /** Absent for raw data. */
  documentWarnings?: DocumentWarning[]
}

/** The content type of raw data that the agent has drawn. */
export const DRAWN = 'raw_drawn'

/**
 * Why the paper can differ from the document. The job is printed. Reference:
 * docs/reference/state-reasons.md#print-jobs.
 */
export interface DocumentWarning {
  /** Keyword for the job's `stateReasons` in each state. */
  reason: 'content-outside-page' | 'font-not-embedded' | 'layers-uncertain' | 'page-scaled'
  /** One sentence or more. */
  message: string
}

/** The width and height are in points. */
export interface PageSize {
  width: number
  height: number
}

export interface PdfInfo {
  pages: number
  /** The different sizes, with the rotation and the unit of the document applied. */
  sizes: PageSize[]
}

export interface Submission {
  /** Part of the spooler job's name, to find the job if its id was lost. */
  token: string
  title: string
  printerOsName: string
  /** Path of the document. */
  file: string
  /** The values of the contract: "pdf_base64", "raw_uri", …, or `DRAWN`. */
  contentType: string
  /** Number of prints of the job. One spooler job makes all of them, so that a crash cannot separate them. */
  qty: number
  options: JsonObject
  /** Facts of a PDF that `inspectPdfs` has inspected; undefined if it exceeds the limits. */
  pdf?: PdfInfo
}

/**
 * - `held`: not printed before it is released.
 * - `pending`: waits for its printer.
 * - `processing`: being sent to the printer, or waits there, for example for paper.
 * - `completed`, `aborted`: final.
 */
export interface SpoolerState {
  is: 'held' | 'pending' | 'processing' | 'completed' | 'aborted'
  /** A `completed` job. Default: the spooler. */
  confirmedBy?: ConfirmedBy
  /** A `processing` job: the number of labels or copies that the printer reports as printed. */
  printed?: number
  /** A `pending` job: the printer may have received some of it. Without it, nothing was sent. */
  hasBegun?: true
  /** For users, for example why a job was aborted. */
  message?: string
  /** IPP keywords, "job-aborted-by-system". */
  reasons: string[]
}

/**
 * The source of the confirmation of a completed job: the printer; the spooler or the end of the connection, which know
 * only that the printer has received it; or nobody. Reference: docs/did-it-print.md
 */
export type ConfirmedBy = 'printer' | 'spooler' | 'nobody'

/**
 * Reason of a job that waits because the spooler fails or refuses a call. Reference:
 * docs/reference/state-reasons.md#print-jobs.
 */
export const SPOOLER_NOT_READY = 'spooler-not-ready'

/** Reason of a job that the spooler or the printer did not take. Nothing was printed. */
export const REFUSED_BY_SYSTEM = 'job-refused-by-system'

/** Reason of a job whose printer requires a password. Nothing was printed. */
export const REQUIRES_AUTHENTICATION = 'printer-requires-authentication'

/**
 * Reason of a completed job whose printer did not confirm the end. Reference:
 * docs/reference/state-reasons.md#print-jobs.
 */
export const COMPLETION_UNCONFIRMED = 'completion-unconfirmed'

/** The spooler will never accept the job. Nothing was printed. */
export class SpoolerRefusal extends Error {
  override name = 'SpoolerRefusal'
  readonly reasons: string[]

  /** @param reasons keywords for the job's `stateReasons`. */
  constructor(message: string, reasons: string[]) {
    super(message)
    this.reasons = reasons
  }
}
