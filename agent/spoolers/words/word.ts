/**
 * What a raw printer says about its paper, for each language that has a word for it. Reference:
 * docs/network-printers.md#the-word-of-the-printer.
 *
 * A question and its answer use the connection of the job, so that an answer belongs to it, and printers that serve one
 * connection can be asked. A question is never sent inside a document.
 */

/** A condition that stops the printer. The message is a sentence for users, the reasons are IPP keywords. */
export interface Fault {
  message: string
  reasons: string[]
}

/** The bytes in both directions of an open connection. */
export interface Talk {
  write(bytes: Buffer | string): void
  /**
   * Waits until what has arrived contains an answer, and removes it.
   *
   * @param find the answer and the number of bytes up to its end.
   * @returns undefined after the time, or when the printer has closed its side.
   * @throws the error of the connection.
   */
  read<Answer>(find: (arrived: Buffer) => Found<Answer> | undefined, timeoutMs: number): Promise<Answer | undefined>
  /** Forgets what has arrived. */
  clear(): void
  /** The printer has closed its side: it answers nothing more. */
  isClosed(): boolean
  /** Waits. @throws the error of the connection. */
  pause(ms: number): Promise<void>
}

export interface Found<Answer> {
  answer: Answer
  length: number
}

export interface Sent {
  /** How many times the document was sent. */
  copies: number
  /** The labels of all copies together, if the document says it. */
  labels?: number | undefined
}

export interface Progress {
  /** The number of labels or copies that the printer reports as printed. */
  printed?: number
  /** The number that will be printed. */
  of?: number | undefined
  /** Why the printer does not go on, while it lasts. */
  fault?: Fault
  /** The end: all is on paper, or the printer is idle and there is no proof. */
  end?: 'printed' | 'without-proof'
}

/** One language of one printer. `Status` is what the printer says of itself. */
export interface Word<Status extends { fault?: Fault | undefined } = { fault?: Fault | undefined }> {
  /** The question, for people: "~HS". */
  question: string
  /** @returns what the printer says now; undefined if it does not answer in 500 ms. */
  ask(talk: Talk): Promise<Status | undefined>
  /** Bytes before a copy. @param copy from 0. */
  opening?(copy: number): Buffer
  /**
   * Bytes after a copy, which the printer answers when the copy is printed.
   *
   * @param copy from 0. @param isDrawn the document was drawn by the agent.
   */
  fence?(copy: number, isDrawn: boolean): Buffer | undefined
  /** @param before the answer before the first byte. */
  follow(talk: Talk, sent: Sent, before: Status): AsyncIterable<Progress>
}

export interface WordTimings {
  /** How long an answer may take. */
  answerMs: number
  /** Between two questions: at first, after 2 s, after 30 s. */
  everyMs: readonly [number, number, number]
  /** How long an idle printer without proof is observed. */
  idleMs: number
  /** The same for a printer that should answer at the end of its data. */
  fenceMs: number
}

export const WORD_TIMINGS: WordTimings = { answerMs: 500, everyMs: [100, 500, 2_000], idleMs: 3_000, fenceMs: 90_000 }

/** A printer that has answered before. Reference: docs/reference/state-reasons.md#print-jobs. */
export const NOT_ANSWERING: Fault = {
  message:
    'The printer accepts connections but does not answer. It may be out of paper, open, or used by another computer.',
  reasons: ['device-not-answering'],
}

/** @param sinceMs since the last byte of the document. */
export function getPauseMs({ everyMs: [first, then, later] }: WordTimings, sinceMs: number): number {
  if (sinceMs < 2_000) return first
  return sinceMs < 30_000 ? then : later
}
