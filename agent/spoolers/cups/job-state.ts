/**
 * Converts a job of CUPS to its state. CUPS shows a job that failed at its device as canceled, a document that the
 * device refused as completed, and a job whose filter failed may never end. Pure.
 */

import type { IppAttributes, IppValue } from '@platen/ipp/attributes.ts'
import { type IppJobState, JOB_STATES } from '@platen/ipp/enums.ts'
import { hidePaths } from '../hide-paths.ts'
import { REQUIRES_AUTHENTICATION, type SpoolerState } from '../spooler.ts'
import { toSentence } from '../to-sentence.ts'
import { removeSeverity } from './printer-state.ts'

export interface CupsJob {
  id: number
  /** Unique. CUPS reuses the ids of jobs that it lost in a crash. */
  uuid: string
  name: string
  /** The URI of the queue. */
  printerUri: string
  state: IppJobState
  reasons: string[]
  /**
   * The message of filters, backend and printer: the last text until the first warning, then only texts that are worse.
   */
  printerMessage: string
  printerReasons: string[]
  /** The last text in the queue of a job that CUPS processes; undefined for other jobs. */
  queueMessage?: string
  /** How long ago CUPS began to process the job; undefined if it has not. */
  processingSeconds?: number
  /** False if CUPS never received the document, so nothing can be printed. */
  hasDocument: boolean
  /** The number of jobs of CUPS that print this job of the service. */
  parts: number
}

/** CUPS stores this attribute and does not use it. */
export const PARTS = 'platen-parts'

/** Each attribute must be requested by name. CUPS omits some of them for `all`. */
export const JOB_ATTRIBUTES = [
  'job-id',
  'job-uuid',
  'job-name',
  'job-state',
  'job-state-reasons',
  'job-printer-state-message',
  'job-printer-uri',
  'job-printer-state-reasons',
  'job-k-octets',
  'number-of-documents',
  'job-printer-up-time',
  'time-at-processing',
  PARTS,
]

export function readJob(attributes: IppAttributes): CupsJob {
  const getFirst = (name: string) => attributes[name]?.[0]
  const [now, begun] = [getFirst('job-printer-up-time'), getFirst('time-at-processing')]
  const getAll = (name: string) => (attributes[name] ?? []).map(toText).filter((text) => text !== '' && text !== 'none')
  return {
    id: Number(getFirst('job-id')),
    uuid: toText(getFirst('job-uuid')).replace(/^urn:uuid:/, ''),
    name: toText(getFirst('job-name')),
    printerUri: toText(getFirst('job-printer-uri')),
    state: JOB_STATES[getFirst('job-state') as keyof typeof JOB_STATES] ?? 'pending',
    reasons: getAll('job-state-reasons'),
    printerMessage: toText(getFirst('job-printer-state-message')),
    printerReasons: getAll('job-printer-state-reasons'),
    ...(typeof now === 'number' && typeof begun === 'number' && { processingSeconds: now - begun }),
    // CUPS reports 0 documents for an ended job, and rounds sizes up to kilobytes.
    hasDocument: Number(getFirst('number-of-documents') ?? 0) > 0 || Number(getFirst('job-k-octets') ?? 0) > 0,
    parts: Number(getFirst(PARTS) ?? 1),
  }
}

const toText = (value: IppValue | undefined) => (typeof value === 'string' ? value : '')

const PRECEDENCE = ['aborted', 'held', 'processing', 'pending', 'completed'] as const

/** The state of a job of several parts. */
export function combineStates(states: SpoolerState[]): SpoolerState {
  const [first] = states.toSorted((a, b) => PRECEDENCE.indexOf(a.is) - PRECEDENCE.indexOf(b.is))
  if (!first) throw new Error('A job has at least one part.')
  const hasBegun = first.is === 'pending' && states.some(({ is }) => is === 'completed')
  return hasBegun ? { ...first, is: 'processing' } : first
}

/** The ipp backend reports this if the device refused the document. CUPS shows the job as completed. */
const REFUSED_BY_DEVICE = /^Unable to (add document|create|print)/

/** The ipp backend reports this if the device ended the job. CUPS shows the job as canceled. */
const ENDED_BY_DEVICE = /at printer|supplied options/

/** CUPS retries such a job without end, or never ends it. */
export const isFilterFailure = ({ printerMessage }: CupsJob) => printerMessage.startsWith('Filter failed')

export const getLastMessage = ({ queueMessage, printerMessage }: CupsJob) => queueMessage || printerMessage

export const toQueueName = ({ printerUri }: CupsJob) => decodeURIComponent(printerUri.split('/').at(-1) ?? '')

export function toState(job: CupsJob): SpoolerState {
  const { state, printerMessage } = job
  switch (state) {
    case 'pending':
      return { is: 'pending', reasons: [], ...(job.processingSeconds !== undefined && { hasBegun: true }) }
    case 'pending-held':
      return { is: 'held', reasons: job.reasons }
    case 'processing':
      return toProcessing(job)
    case 'processing-stopped':
      return job.reasons.includes('job-completed-with-errors') ? toDamaged(job) : toProcessing(job)
    case 'completed':
      return REFUSED_BY_DEVICE.test(printerMessage)
        ? toAborted('The printer refused the document', printerMessage, 'document-format-not-supported')
        : { is: 'completed', reasons: ['job-completed-successfully'] }
    case 'canceled':
      return ENDED_BY_DEVICE.test(printerMessage)
        ? toAborted('The printer aborted the job', printerMessage, 'job-canceled-at-device')
        : toAborted('The job was canceled in the print queue of the computer', '', 'job-canceled-by-user')
    case 'aborted':
      return toAbortedByCups(job)
  }
}

/** The state of a job that CUPS shows as completed. @param device the job at the device, if the device answered. */
export function resolveCompleted(job: CupsJob, device: CupsJob | undefined): SpoolerState {
  if (device?.state !== 'aborted' && device?.state !== 'canceled') return withConfirmation(toState(job), device)
  return toAborted('The printer aborted the job', device.reasons.join(', '), 'job-canceled-at-device')
}

const withConfirmation = (state: SpoolerState, device: CupsJob | undefined): SpoolerState =>
  state.is === 'completed' && device?.state === 'completed' ? { ...state, confirmedBy: 'printer' } : state

/** The state of a job whose filter failed. CUPS does not end such a job, so the watcher cancels it. */
export const toDamaged = (job: CupsJob) =>
  toAborted('CUPS could not process the document', toFilterMessage(job), 'document-format-error')

/** An exception of filters that use qpdf. */
const FILTER_EXCEPTION = /^Exception: /

/**
 * CUPS writes "Filter failed" over the text of the filter, or not, as it happens to learn of them. The queue keeps the
 * last text of its filters, unless a driverless device sends texts of its own.
 */
function toFilterMessage(job: CupsJob): string {
  const { queueMessage = '' } = job
  if (FILTER_EXCEPTION.test(queueMessage)) return queueMessage.replace(FILTER_EXCEPTION, '')
  return isFilterFailure(job) ? 'one of its filters failed' : job.printerMessage
}

const FOR_AUTHENTICATION = ['cups-held-for-authentication', 'job-held-for-authentication']

/** The state of a released job that is held again. The watcher cancels it. */
export function toHeldAgain(job: CupsJob): SpoolerState {
  if (job.reasons.some((reason) => FOR_AUTHENTICATION.includes(reason))) return toAuthenticationRequired(job)
  const cause =
    'The job was held again after its release, because CUPS lost the release in a crash, could not send the job, or a user held it.'
  const message = `${cause} It was removed from the queue. It may have been printed and was not printed again.`
  return { is: 'aborted', message, reasons: ['unconfirmed'] }
}

/** The printer refused the job before it accepted a byte of the document. */
const toAuthenticationRequired = (job: CupsJob): SpoolerState => ({
  is: 'aborted',
  message: `The printer requires a user name and a password. Nothing was printed. Add them to the address of its queue on the computer (\`lpadmin -p ${toQueueName(job)} -v ipp://USER:PASSWORD@PRINTER/…\`), or let the printer accept jobs without them.`,
  reasons: [REQUIRES_AUTHENTICATION],
})

/** After a crash CUPS also aborts jobs that were printed, because their documents are missing. */
function toAbortedByCups({ printerMessage }: CupsJob): SpoolerState {
  const { message, reasons, ...state } = toAborted('CUPS aborted the job', printerMessage, 'job-aborted-by-system')
  return { ...state, message: `${message} It may have been printed.`, reasons: [...reasons, 'unconfirmed'] }
}

/** The printer keeps the job until a user enters a PIN or releases it there. */
const WAITS_AT_PRINTER = ['job-password-wait', 'job-release-wait']

function toProcessing(job: CupsJob): SpoolerState {
  const message = getLastMessage(job)
  const reasons = [...job.reasons.filter((reason) => WAITS_AT_PRINTER.includes(reason)), ...job.printerReasons]
  return {
    is: 'processing',
    ...(message === '' ? {} : { message: hidePaths(message) }),
    reasons: ['job-printing', ...reasons.map(removeSeverity).filter((reason) => !reason.startsWith('cups-'))],
  }
}

function toAborted(what: string, cause: string, reason: string): SpoolerState {
  const detail = hidePaths(cause)
  return { is: 'aborted', message: toSentence(detail === '' ? what : `${what}: ${detail}`), reasons: [reason] }
}
