/** Interface of network printers for their queue. Each protocol has an implementation. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { SpoolerState, Submission } from '../spooler.ts'
import type { FoundLanguage } from '../words/find-language.ts'
import type { Fault } from '../words/word.ts'
import type { NetworkJob } from './job-store.ts'

export interface Device {
  /** The printer for the report. Can query the printer, but resolves within 2 s with the last known values. */
  printer(): Promise<MessageInitShape<typeof ReportedPrinterSchema>>

  /**
   * Asks a raw printer whose language is known.
   *
   * @returns undefined for a printer that cannot be asked. @throws Error if it cannot be reached. The message is a
   *   sentence for users.
   */
  askWord?(): Promise<WordAnswer | undefined>

  /**
   * Asks a raw printer for its language, which may print a few characters. A job of the printer waits for the end.
   *
   * @returns undefined for a printer that answers in no language of the agent. @throws Error if it has a job or cannot
   *   be reached. The message is a sentence for users.
   */
  findLanguage?(): Promise<FoundLanguage | undefined>

  /**
   * @throws SpoolerRefusal if the printer does not support PDF; Error if it does not answer. The messages are sentences
   *   for users.
   */
  check(): Promise<void>

  /**
   * @returns one sentence per dropped option.
   * @throws SpoolerRefusal if the printer will never print the job.
   */
  accept(submission: Submission): Promise<string[]>

  /**
   * Prints a job.
   *
   * @returns the final state.
   * @throws NothingSent if the printer has received nothing of the job, so it can be retried. After any other error it
   *   is unknown whether the job prints.
   */
  print(job: NetworkJob, printing: Printing): Promise<FinalState>

  /**
   * Continues a job that an earlier process began to send.
   *
   * @returns undefined if the printer does not know the job.
   */
  resume?(job: NetworkJob, printing: Printing): Promise<FinalState | undefined>
}

/** What a printer with a word says of itself. */
export interface WordAnswer {
  /** For people: "~HS". */
  question: string
  /** Undefined without an answer. */
  answeredMs: number | undefined
  fault: Fault | undefined
}

export interface Printing {
  /** Path of the document. */
  file: string
  /**
   * Records that the job may be printed from now on. Must be awaited before the first byte is sent. Called again with
   * the id of the job at the printer when it is known.
   *
   * @throws NothingSent if the first call cannot be recorded.
   */
  begin(deviceJob?: string): Promise<void>
  /**
   * Reports a message for users about the job in progress.
   *
   * @param printed the number of labels or copies that the printer reports as printed.
   */
  report(message: string | undefined, reasons?: string[], printed?: number): void
  /** Aborted when the job is removed: nothing more of it may be sent. */
  signal: AbortSignal
}

export type FinalState = Required<Pick<SpoolerState, 'message' | 'reasons'>> &
  Pick<SpoolerState, 'confirmedBy'> & { is: 'completed' | 'aborted' }

/** The printer has received nothing of the job. The message is a sentence for users. */
export class NothingSent extends Error {
  override name = 'NothingSent'
  readonly reasons: string[]

  /** @param reasons IPP keywords. */
  constructor(message: string, reasons = ['connecting-to-device'], cause?: unknown) {
    super(message, { cause })
    this.reasons = reasons
  }
}

export const COMPLETED: FinalState = { is: 'completed', message: '', reasons: ['job-completed-successfully'] }
