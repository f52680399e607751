/**
 * Distinguishes jobs that print from jobs whose device CUPS cannot reach. CUPS shows both as processing, and tries to reach a device that is
 * switched off without end. Such a job is pending here, so that the service does not end it, and the next one after it, for slow printing.
 */

import type { SpoolerState } from '../spooler.ts'
import { type CupsJob, toState } from './job-state.ts'
import { CONNECTING, UNREACHABLE } from './printer-state.ts'

/** Messages of the backends of CUPS before they connect. CUPS runs a backend in the language of its job, which is English. */
const NOT_CONNECTED = /^Connecting to printer|is in use/

/** Messages of the backends, and a keyword of theirs, while they send a document or wait for its end. */
const CONNECTED =
  /^(Connected to printer|Sending data|Spooling job|(Control|Data) file sent|Print file sent|Waiting for (printer to finish|job to))/
const WAITING_FOR_END = 'cups-waiting-for-job-completed'

/** @returns a function that converts a job to its state. It must see each job that is watched. */
export function createReachability(): (job: CupsJob) => SpoolerState {
  /** Until CUPS is connected or completes a job: messages of filters replace those of the backend, also before it connects. */
  const unreachableQueues = new Set<string>()

  return (job) => {
    const state = toState(job)
    if (isConnected(job) || state.is === 'completed') unreachableQueues.delete(job.printerUri)
    else if (state.is === 'processing' && isUnreachable(job)) unreachableQueues.add(job.printerUri)
    const isPending = state.is === 'processing' && unreachableQueues.has(job.printerUri)
    return isPending ? { is: 'pending', reasons: [] } : state
  }
}

const isConnected = ({ printerMessage, printerReasons }: CupsJob) =>
  CONNECTED.test(printerMessage) || printerReasons.includes(WAITING_FOR_END)

const isUnreachable = ({ printerMessage, printerReasons }: CupsJob) =>
  printerReasons.includes(CONNECTING) || UNREACHABLE.test(printerMessage) || NOT_CONNECTED.test(printerMessage)
