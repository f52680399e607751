import type { Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { FoundPrinter } from './find-printer.ts'

export const DOCUMENT_PROBLEM = 'The document did not arrive, and nothing was printed. Print it again.'

/** For people. The cause of an end, or why the job waits. */
export function toStateMessage({ state, stateMessage }: Job, { waits, isDestination }: FoundPrinter): string {
  if (stateMessage) return stateMessage
  if (state === 'expired')
    return isDestination
      ? 'No printer was available in time, and nothing was printed.'
      : 'The computer of the printer was not connected in time, and nothing was printed.'
  return state === 'queued' ? (waits ?? '') : ''
}
