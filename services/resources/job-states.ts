/** The states of print jobs in the API. Reference: docs/reference/print-jobs.md#states. Has no imports, because the dashboard loads it. */

export const JOB_STATES = ['queued', 'sent', 'received', 'printing', 'done', 'error', 'cancelled', 'expired'] as const

export type JobState = (typeof JOB_STATES)[number]

export const FINAL_STATES: readonly JobState[] = ['done', 'error', 'cancelled', 'expired']
/** Before the spooler has the document. */
export const WAITING_STATES: readonly JobState[] = ['queued', 'sent', 'received']
/** Only until the agent has the document. */
export const CANCELLABLE_STATES: readonly JobState[] = ['queued', 'sent']

/** An unfinished job that is older needs attention in the dashboard. */
export const WAITING_LONG_MS = 5 * 60_000
