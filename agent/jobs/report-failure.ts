import type { Agent } from '../agent.ts'
import type { Outcome } from '../journal/entry.ts'
import { hidePaths } from '../spoolers/hide-paths.ts'
import { SPOOLER_NOT_READY } from '../spoolers/spooler.ts'
import { toSentence } from '../spoolers/to-sentence.ts'
import type { Reports } from './reports.ts'

/**
 * Reports why the job waits, until its next progress. Does not throw, because the disk can be full.
 *
 * @param error of a call of the spooler that will be repeated.
 */
export function reportFailure({ journal, log }: Agent, reports: Reports, jobId: string, error: unknown): void {
  try {
    journal.progress(jobId, journal.get(jobId)?.printingAt ? 'printing' : 'waiting', toOutcome(error))
    reports.deliver(jobId)
  } catch (cause) {
    log.warn({ err: cause, job_id: jobId }, 'the cause of a failed spooler call could not be recorded')
  }
}

function toOutcome(error: unknown): Outcome {
  const message = toSentence(hidePaths(error instanceof Error ? error.message : String(error)))
  return { message, reasons: [SPOOLER_NOT_READY] }
}
