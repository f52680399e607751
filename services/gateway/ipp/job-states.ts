/** Job states of IPP. Reference: docs/reference/ipp.md#job-states. */
import type { Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { JobState } from '@platen/resources/job-states.ts'

/** `job-state` (RFC 8011, section 5.3.7). */
export const STATES = { pending: 3, held: 4, processing: 5, stopped: 6, canceled: 7, aborted: 8, completed: 9 } as const

interface Shown {
  state: number
  reason: string
}

const SHOWN: Record<JobState, Shown> = {
  queued: { state: STATES.pending, reason: 'none' },
  sent: { state: STATES.processing, reason: 'job-outgoing' },
  received: { state: STATES.processing, reason: 'job-outgoing' },
  printing: { state: STATES.processing, reason: 'job-printing' },
  done: { state: STATES.completed, reason: 'job-completed-successfully' },
  cancelled: { state: STATES.canceled, reason: 'job-canceled-by-user' },
  error: { state: STATES.aborted, reason: 'aborted-by-system' },
  expired: { state: STATES.aborted, reason: 'aborted-by-system' },
}

/** Reasons for which the spooler does not go on. */
const STOPPED = /^(media|marker|toner|developer|cover|door|interlock|input|output|printer|opc|fuser)-/

const KEYWORD = /^[a-z0-9][a-z0-9._-]*$/

export interface ShownState {
  state: number
  /** Keywords, at least one. */
  reasons: string[]
}

/** @param isEnabled of its printer. */
export function toShownState(job: Pick<Job, 'state' | 'stateReasons'>, isEnabled: boolean): ShownState {
  const { state, reason } = SHOWN[job.state as JobState]
  const own = job.stateReasons.filter((one) => KEYWORD.test(one))
  if (job.state === 'queued') {
    if (!isEnabled) return { state: STATES.held, reasons: ['printer-stopped', ...own] }
    return own.length > 0 ? { state: STATES.held, reasons: own } : { state, reasons: [reason] }
  }
  if (job.state === 'printing' && own.some((one) => STOPPED.test(one)))
    return { state: STATES.stopped, reasons: ['job-printing', ...own] }
  if (job.state === 'done' && own.includes('option-ignored'))
    return { state, reasons: ['job-completed-with-warnings', ...own] }
  return { state, reasons: [reason, ...own] }
}

/**
 * The states of `which-jobs`. Submissions belong to `pending` while their document is awaited, then to `canceled` or
 * `aborted`.
 */
export const WHICH_JOBS: Record<string, { states: JobState[]; submissions: 'open' | 'ended' | 'all' | 'none' }> = {
  completed: { states: ['done', 'error', 'cancelled', 'expired'], submissions: 'ended' },
  'not-completed': { states: ['queued', 'sent', 'received', 'printing'], submissions: 'open' },
  aborted: { states: ['error', 'expired'], submissions: 'ended' },
  all: { states: [], submissions: 'all' },
  canceled: { states: ['cancelled'], submissions: 'ended' },
  pending: { states: ['queued'], submissions: 'open' },
  processing: { states: ['sent', 'received', 'printing'], submissions: 'none' },
}
