/**
 * What CUPS says of a job, and what it means. The two differ: a device that fails shows as a job that somebody canceled, one that refuses
 * the document as a completed one, and a filter that fails may leave a job that never ends. Pure.
 */

import type { IppAttributes, IppValue } from '../../ipp/attributes.ts'
import { type IppJobState, JOB_STATES } from '../../ipp/enums.ts'
import type { SpoolerState } from '../spooler.ts'
import { withoutSeverity } from './printer-state.ts'

export interface CupsJob {
  id: number
  /** CUPS gives the ids of a crash's forgotten jobs away again; not so this. */
  uuid: string
  name: string
  /** Of its queue. */
  printerUri: string
  state: IppJobState
  reasons: string[]
  /** What filters, backend and printer said last, for people. */
  printerMessage: string
  printerReasons: string[]
  /** False for one whose document never came: nothing of it can be printed. */
  hasDocument: boolean
}

/** CUPS leaves out what is not asked for by name, also when `all` is. */
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
]

export function readJob(attributes: IppAttributes): CupsJob {
  const one = (name: string) => attributes[name]?.[0]
  const many = (name: string) => (attributes[name] ?? []).map(toText).filter((text) => text !== '' && text !== 'none')
  return {
    id: Number(one('job-id')),
    uuid: toText(one('job-uuid')).replace(/^urn:uuid:/, ''),
    name: toText(one('job-name')),
    printerUri: toText(one('job-printer-uri')),
    state: JOB_STATES[one('job-state') as keyof typeof JOB_STATES] ?? 'pending',
    reasons: many('job-state-reasons'),
    printerMessage: toText(one('job-printer-state-message')),
    printerReasons: many('job-printer-state-reasons'),
    // CUPS counts no documents of a job that has ended, and rounds sizes up.
    hasDocument: Number(one('number-of-documents') ?? 0) > 0 || Number(one('job-k-octets') ?? 0) > 0,
  }
}

const toText = (value: IppValue | undefined) => (typeof value === 'string' ? value : '')

/** Said by the ipp backend of a device that did not take the document; the job ends as completed nevertheless. */
const REFUSED_BY_DEVICE = /^Unable to (add document|create|print)/

/** Said by the ipp backend of a device that ended the job; CUPS then shows it as canceled. */
const ENDED_BY_DEVICE = /at printer|supplied options/

/** What a filter leaves in a job that CUPS tries again and again, or leaves standing. */
export const isFilterFailure = ({ printerMessage }: CupsJob) => printerMessage.startsWith('Filter failed')

export function toState(job: CupsJob): SpoolerState {
  const { state, printerMessage } = job
  switch (state) {
    case 'pending':
      return { is: 'pending', reasons: [] }
    case 'pending-held':
      return { is: 'held', reasons: job.reasons }
    case 'processing':
      return processing(job)
    case 'processing-stopped':
      return job.reasons.includes('job-completed-with-errors') ? damaged(job) : processing(job)
    case 'completed':
      return REFUSED_BY_DEVICE.test(printerMessage)
        ? aborted('The printer did not take the document', printerMessage, 'document-format-not-supported')
        : { is: 'completed', reasons: ['job-completed-successfully'] }
    case 'canceled':
      return ENDED_BY_DEVICE.test(printerMessage)
        ? aborted('The printer broke the job off', printerMessage, 'job-canceled-at-device')
        : aborted("The job was canceled in the computer's print queue", '', 'job-canceled-by-user')
    case 'aborted':
      return givenUp(job)
  }
}

/** @param device what the device of a queue says of the job, where it does. */
export function stateAtDevice(job: CupsJob, device: CupsJob | undefined): SpoolerState {
  if (device?.state !== 'aborted' && device?.state !== 'canceled') return toState(job)
  return aborted('The printer broke the job off', device.reasons.join(', '), 'job-canceled-at-device')
}

/** A filter could not make anything of the document. CUPS lets such a job stand, or tries it for ever: whoever finds it cancels it. */
export const damaged = (job: CupsJob) =>
  aborted('CUPS could not process the document', job.printerMessage, 'document-format-error')

/** Of a job that was released: CUPS came back from a crash with what it had known before. It must not come out later. */
export const heldAgain: SpoolerState = {
  is: 'aborted',
  message:
    'The job was on hold again after it had been released: CUPS broke down and forgot the release, or somebody held it on the computer. It was taken out of the queue. It may have been printed; it was not printed again.',
  reasons: ['unconfirmed'],
}

/** Also of a job that was printed when CUPS broke down: it finds its document gone and gives it up, with whatever was said of it last. */
function givenUp({ printerMessage }: CupsJob): SpoolerState {
  const { message, reasons, ...state } = aborted('CUPS gave the job up', printerMessage, 'job-aborted-by-system')
  return { ...state, message: `${message} It may have been printed.`, reasons: [...reasons, 'unconfirmed'] }
}

function processing({ printerMessage, printerReasons }: CupsJob): SpoolerState {
  const reasons = printerReasons.map(withoutSeverity)
  return {
    is: 'processing',
    ...(printerMessage === '' ? {} : { message: withoutPaths(printerMessage) }),
    reasons: ['job-printing', ...reasons.filter((reason) => !reason.startsWith('cups-'))],
  }
}

function aborted(what: string, said: string, reason: string): SpoolerState {
  const why = withoutPaths(said).replace(/\.$/, '')
  return { is: 'aborted', message: `${what}${why === '' ? '' : `: ${why}`}.`, reasons: [reason] }
}

/** Where CUPS keeps its files is nobody's business. */
const withoutPaths = (text: string) => text.replaceAll(/(?<=^|\s)\/\S+?(?=:?(\s|$))/g, 'the document')
