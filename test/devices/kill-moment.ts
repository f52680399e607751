/** What `sender.ts` sends, and when it ends itself. */
import type { Submission } from '../../agent/spoolers/spooler.ts'
import type { UsedDevice } from './spooler.ts'

/**
 * - `time`: some time after the release of the jobs.
 * - `asked`: the printer has answered, and nothing is recorded yet.
 * - `begun`: it is recorded that the job may be printed, and no byte is written.
 * - `document`: in a document.
 * - `last byte`: with it, before anything that follows.
 * - `followed`: some time after the last byte.
 */
export const MOMENTS = ['time', 'asked', 'begun', 'document', 'last byte', 'followed'] as const

export interface Kill {
  moment: (typeof MOMENTS)[number]
  /** The job to which the moment belongs. */
  token: string
  afterMs: number
  /** The moment in the bytes of all copies. */
  bytes: number
}

export interface Sending {
  dir: string
  devices: UsedDevice[]
  submissions: Submission[]
  kill: Kill
}

/** Sent to the parent when a job has ended. */
export interface Ended {
  token: string
  /** The time of `readClock`. */
  atMs: number
}

/** Milliseconds of the clock that all processes share. */
export const readClock = () => Number(process.hrtime.bigint()) / 1e6
