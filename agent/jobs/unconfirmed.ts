import type { Outcome } from '../journal/entry.ts'

/** The spooler took the job's release, or may have, and does not know the job any more. */
export const UNCONFIRMED: Outcome = {
  message:
    'The outcome is unknown: the spooler has no record of this job any more. It may have been printed; it was not printed again.',
  reasons: ['unconfirmed'],
}
