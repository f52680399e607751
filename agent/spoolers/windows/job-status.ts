/** What Windows' bits say of a job. Pure. */
import type { SpoolerState } from '../spooler.ts'
import type { JobInfo } from './winspool.ts'

/** JOB_STATUS_… of winspool.h. */
export const JOB_STATUS = {
  paused: 0x1,
  error: 0x2,
  deleting: 0x4,
  spooling: 0x8,
  printing: 0x10,
  offline: 0x20,
  paperOut: 0x40,
  printed: 0x80,
  deleted: 0x100,
  blocked: 0x200,
  userIntervention: 0x400,
  restart: 0x800,
  complete: 0x1000,
  retained: 0x2000,
  renderingLocally: 0x4000,
} as const

/** What stands in a job's way. It goes on by itself once that is mended: none of these is an end. */
const OBSTACLES = [
  { bit: JOB_STATUS.error, reason: 'other', detail: 'The printer or its port reports an error' },
  { bit: JOB_STATUS.offline, reason: 'offline', detail: 'The printer is offline' },
  { bit: JOB_STATUS.paperOut, reason: 'media-empty', detail: 'The printer is out of paper' },
  { bit: JOB_STATUS.blocked, reason: 'other', detail: 'The driver cannot print the job' },
  { bit: JOB_STATUS.userIntervention, reason: 'other', detail: 'The printer needs attention' },
]

const PRINTED = JOB_STATUS.printed | JOB_STATUS.complete
const DELETED = JOB_STATUS.deleting | JOB_STATUS.deleted

/**
 * What is printed counts as printed, whatever else is said of it. An error is no end: Windows tries again by itself, and a job that
 * was called failed could come out after it was sent anew.
 */
export function toJobState({ status, statusText }: Pick<JobInfo, 'status' | 'statusText'>): SpoolerState {
  const has = (bits: number) => (status & bits) !== 0
  if (has(PRINTED)) return { is: 'completed', reasons: ['job-completed-successfully'] }
  if (has(DELETED)) return DELETED_AT_QUEUE
  const obstacles = OBSTACLES.filter(({ bit }) => has(bit))
  const said = statusText.trim() === '' ? obstacles.map(({ detail }) => detail) : [statusText.trim()]
  const about = {
    ...(said.length === 0 ? {} : { message: `${said.join('. ')}.` }),
    reasons: [...new Set(obstacles.map(({ reason }) => reason))],
  }
  if (has(JOB_STATUS.printing | JOB_STATUS.restart))
    return { ...about, is: 'processing', reasons: ['job-printing', ...about.reasons] }
  if (has(JOB_STATUS.paused)) return { is: 'held', reasons: ['job-hold-until-specified'] }
  return { ...about, is: 'pending' }
}

export const DELETED_AT_QUEUE: SpoolerState = {
  is: 'aborted',
  message: "The job was deleted in the computer's print queue.",
  reasons: ['job-canceled-by-user'],
}

export const hasEnded = ({ is }: SpoolerState) => is === 'completed' || is === 'aborted'
