/** The exit codes of `platen`, which scripts use. Reference: docs/platen.md#exit-codes */
export const EXIT = {
  done: 0,
  /** Refused or failed. No job was created. */
  error: 1,
  usage: 2,
  /** Nothing was printed, and nothing will be: safe to print again. */
  notPrinted: 3,
  /** The result on paper is unknown. */
  maybePrinted: 4,
  /** Cancelled or expired. */
  ended: 5,
  timeout: 6,
  /** Source: the convention of shells for SIGINT. */
  interrupted: 130,
} as const

/** The exit code of several jobs, the one that needs a person most. */
const BY_SEVERITY = [EXIT.maybePrinted, EXIT.error, EXIT.timeout, EXIT.notPrinted, EXIT.ended, EXIT.done]

export const getWorst = (codes: number[]): number => BY_SEVERITY.find((code) => codes.includes(code)) ?? EXIT.done

/** Ends the program with a message and a code. */
export class Failure extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.error) {
    super(message)
    this.exitCode = exitCode
  }
}
