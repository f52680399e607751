/**
 * The states of a print job and its transitions. Reference: docs/reference/print-jobs.md#states.
 *
 * - `queued`: accepted, waits for its computer.
 * - `sent`: pushed to the agent, which has not acknowledged the document yet.
 * - `received`: the agent has the document and may submit it to the spooler. The job can no longer be cancelled.
 * - `printing`: the spooler processes it.
 * - `done`, `error`, `cancelled`, `expired`: final, without transitions.
 */
export const JOB_STATES = ['queued', 'sent', 'received', 'printing', 'done', 'error', 'cancelled', 'expired'] as const

export const FINAL_STATES = ['done', 'error', 'cancelled', 'expired'] as const satisfies JobState[]

export const UNFINISHED_STATES: JobState[] = JOB_STATES.filter(
  (state) => !FINAL_STATES.some((final) => final === state),
)

/** SQL: no agent has the document of the job yet. */
export const NEEDS_DOCUMENT = `final_state IS NULL AND state IN ('queued', 'sent')`

export type JobState = (typeof JOB_STATES)[number]

interface Transition {
  from: readonly JobState[]
  to: JobState
}

/** A trigger without a transition from the job's state changes nothing. */
export const TRANSITIONS = {
  push: { from: ['queued'], to: 'sent' },
  resend: { from: ['sent'], to: 'sent' },
  requeue: { from: ['sent'], to: 'queued' },
  acknowledge: { from: ['sent'], to: 'received' },
  print: { from: ['received'], to: 'printing' },
  complete: { from: ['printing'], to: 'done' },
  timeOut: { from: ['printing'], to: 'error' },
  purge: { from: ['received', 'printing'], to: 'error' },
  fail: { from: ['queued', 'sent', 'received', 'printing'], to: 'error' },
  cancel: { from: ['queued', 'sent'], to: 'cancelled' },
  expire: { from: ['queued', 'sent'], to: 'expired' },
} as const satisfies Record<string, Transition>

export type Trigger = keyof typeof TRANSITIONS

export const TRIGGERS = Object.keys(TRANSITIONS) as Trigger[]

/** The cause of a change. Reference: docs/reference/print-jobs.md#job-events. */
export type Actor = 'api' | 'user' | 'agent' | 'system'
