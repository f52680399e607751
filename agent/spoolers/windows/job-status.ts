/** Converts the status bits of a job of Windows to its state. Pure. */
import type { SpoolerState } from '../spooler.ts'
import { toSentence } from '../to-sentence.ts'
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

/** Conditions that delay a job. It continues when they are resolved, so none of them is final. */
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
 * A printed job is completed whatever its other bits are. An error is not final, because Windows retries, and a job
 * that was reported as failed could print after it was sent again.
 */
export function toJobState({ status, statusText }: Pick<JobInfo, 'status' | 'statusText'>): SpoolerState {
  const hasAny = (bits: number) => (status & bits) !== 0
  if (hasAny(PRINTED)) return { is: 'completed', reasons: ['job-completed-successfully'] }
  if (hasAny(DELETED)) return DELETED_AT_QUEUE
  const obstacles = OBSTACLES.filter(({ bit }) => hasAny(bit))
  const texts = statusText.trim() === '' ? obstacles.map(({ detail }) => detail) : [statusText]
  const details = {
    ...(texts.length === 0 ? {} : { message: texts.map(toSentence).join(' ') }),
    reasons: [...new Set(obstacles.map(({ reason }) => reason))],
  }
  if (hasAny(JOB_STATUS.printing | JOB_STATUS.restart))
    return { ...details, is: 'processing', reasons: ['job-printing', ...details.reasons] }
  if (hasAny(JOB_STATUS.paused)) return { is: 'held', reasons: ['job-hold-until-specified'] }
  return { ...details, is: 'pending' }
}

export const DELETED_AT_QUEUE: SpoolerState = {
  is: 'aborted',
  message: 'The job was deleted in the print queue of the computer.',
  reasons: ['job-canceled-by-user'],
}

export const hasEnded = ({ is }: SpoolerState) => is === 'completed' || is === 'aborted'
