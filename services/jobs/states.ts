/**
 * The transitions of a print job. Reference: docs/reference/print-jobs.md#states. Its states:
 * `services/resources/job-states.ts`.
 */
import { CANCELLABLE_STATES, type JobState, UNFINISHED_STATES } from '@platen/resources/job-states.ts'

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
  fail: { from: UNFINISHED_STATES, to: 'error' },
  cancel: { from: CANCELLABLE_STATES, to: 'cancelled' },
  expire: { from: CANCELLABLE_STATES, to: 'expired' },
} as const satisfies Record<string, Transition>

export type Trigger = keyof typeof TRANSITIONS

export const TRIGGERS = Object.keys(TRANSITIONS) as Trigger[]

/** The cause of a change. Reference: docs/reference/print-jobs.md#job-events. */
export type Actor = 'api' | 'user' | 'agent' | 'system'

/** SQL: keywords, such as states, for `IN`. */
export const toSqlList = (keywords: readonly string[]) => keywords.map((keyword) => `'${keyword}'`).join(', ')

/** State reasons of queued jobs that wait for a release, or for their time. No agent gets them. */
export const HELD = 'held'
export const SCHEDULED = 'scheduled'

/** SQL: the job waits for its release or its time. */
export const IS_HELD_BACK = `state_reasons && '{${HELD},${SCHEDULED}}'::text[]`

/**
 * SQL: the job is not finished, and its printer is not only planned. The index `job_active` has these jobs by computer.
 */
export const IS_ACTIVE = 'final_state IS NULL AND waiting_destination_id IS NULL'

/** SQL: no agent has the document of the job yet. */
export const NEEDS_DOCUMENT = `final_state IS NULL AND state IN (${toSqlList(CANCELLABLE_STATES)})`
