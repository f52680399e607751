import type { Outcome } from '../journal/entry.ts'

/** The job was released, or may have been, and the spooler no longer knows it. */
export const UNCONFIRMED: Outcome = {
  message:
    'The outcome is unknown: the spooler has no record of this job any more. It may have been printed; it was not printed again.',
  reasons: ['unconfirmed'],
}
