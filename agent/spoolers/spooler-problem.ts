import { hostname } from 'node:os'

/**
 * Why a spooler cannot list its printers. The message is the same sentence in each command of the agent and in the
 * dashboard.
 */
export class SpoolerProblem extends Error {
  override name = 'SpoolerProblem'
  readonly code: 'not-installed' | 'not-running' | 'no-permission' | 'not-responding'

  constructor(code: SpoolerProblem['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export function toSpoolerProblem(error: unknown): SpoolerProblem {
  if (error instanceof SpoolerProblem) return error
  const cause = error instanceof Error ? error.message : String(error)
  return new SpoolerProblem('not-responding', `The printers of ${hostname()} cannot be listed: ${cause}`, error)
}

/** A computer that has printers needs no spooler that is not installed. */
export const isRelevant = ({ code }: SpoolerProblem, printers: number): boolean =>
  code !== 'not-installed' || printers === 0
