/**
 * Distinguishes jobs that print from jobs whose device CUPS cannot reach. CUPS shows both as processing, and tries to
 * reach a device that is switched off without end. Such a job is pending here, so that the service does not end it, and
 * the next one after it, for slow printing.
 */

import type { SpoolerState } from '../spooler.ts'
import { type CupsJob, getLastMessage, isFilterFailure, toState } from './job-state.ts'
import { CONNECTING, UNREACHABLE } from './printer-state.ts'

/**
 * Messages of the backends of CUPS before they connect. CUPS runs a backend in the language of its job, which is
 * English.
 */
const NOT_CONNECTED = /^Connecting to printer|is in use/

/** Messages of the backends, and a keyword of theirs, while they send a document or wait for its end. */
const CONNECTED =
  /^(Connected to printer|Sending data|Spooling job|(Control|Data) file sent|Print file sent|Waiting for (printer to finish|job to))/
const WAITING_FOR_END = 'cups-waiting-for-job-completed'

/**
 * A backend that connects to an unreachable device reports it within 3 s. A filter that cannot process the document
 * fails within a second, also while the backend is connected. Times of CUPS are whole seconds, so a difference can be
 * one second too large.
 */
const CONNECTING_SECONDS = 4
const FAILURE_SECONDS = 2

/** @returns a function that converts a job to its state. It must see each job that is watched. */
export function createReachability(): (job: CupsJob) => SpoolerState {
  /**
   * Until CUPS is connected or completes a job: messages of filters replace those of the backend, also before it
   * connects.
   */
  const unreachableQueues = new Set<string>()
  /** UUIDs of jobs whose filter failed at once. CUPS ends or retries them later. */
  const failedAtOnce = new Set<string>()

  return (job) => {
    const state = toState(job)
    const connected = isConnected(job)
    if (connected || state.is === 'completed') unreachableQueues.delete(job.printerUri)
    if (!isFilterFailure(job)) failedAtOnce.delete(job.uuid)
    else if (isNew(job, FAILURE_SECONDS)) failedAtOnce.add(job.uuid)
    if (state.is !== 'processing') return state
    if (!connected && isUnreachable(job)) {
      unreachableQueues.add(job.printerUri)
      return { is: 'pending', reasons: [] }
    }
    const isUnknown =
      failedAtOnce.has(job.uuid) ||
      unreachableQueues.has(job.printerUri) ||
      isNew(job, connected ? FAILURE_SECONDS : CONNECTING_SECONDS)
    return isUnknown ? { is: 'pending', reasons: [], hasBegun: true } : state
  }
}

const isNew = ({ processingSeconds = Number.POSITIVE_INFINITY }: CupsJob, seconds: number) =>
  processingSeconds < seconds

const isConnected = (job: CupsJob) =>
  CONNECTED.test(getLastMessage(job)) || job.printerReasons.includes(WAITING_FOR_END)

function isUnreachable(job: CupsJob): boolean {
  const message = getLastMessage(job)
  return job.printerReasons.includes(CONNECTING) || UNREACHABLE.test(message) || NOT_CONNECTED.test(message)
}
