/**
 * The states of a print job. Reference: docs/reference/print-jobs.md#states. Transitions: `services/jobs/states.ts`.
 * Has no imports, because the dashboard loads it.
 *
 * - `queued`: accepted, waits for its computer.
 * - `sent`: pushed to the agent, which has not acknowledged the document yet.
 * - `received`: the agent has the document and may submit it to the spooler. The job can no longer be cancelled.
 * - `printing`: the spooler processes it.
 * - `done`, `error`, `cancelled`, `expired`: final, without transitions.
 */
export const UNFINISHED_STATES = ['queued', 'sent', 'received', 'printing'] as const
export const FINAL_STATES = ['done', 'error', 'cancelled', 'expired'] as const
export const JOB_STATES = [...UNFINISHED_STATES, ...FINAL_STATES] as const

export type JobState = (typeof JOB_STATES)[number]
export type FinalState = (typeof FINAL_STATES)[number]

/** No agent has the document yet. */
export const CANCELLABLE_STATES: readonly JobState[] = ['queued', 'sent']
/** The spooler does not have the document yet. */
export const WAITING_STATES: readonly JobState[] = ['queued', 'sent', 'received']
/** The job ended without a complete print, and no user ended it. */
export const FAILED_STATES = ['error', 'expired'] as const satisfies FinalState[]

export const isFinalState = (state: string): state is FinalState => FINAL_STATES.some((final) => final === state)

/** An unfinished job that is older needs attention in the dashboard. */
export const WAITING_LONG_MS = 5 * 60_000

/** What says that a job that is `done` is on paper. Reference: docs/did-it-print.md. */
export const CONFIRMED_BY = ['printer', 'spooler', 'nobody'] as const
