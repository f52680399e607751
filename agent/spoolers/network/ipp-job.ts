/**
 * Sends, finds, follows and cancels a job of an IPP printer. Printers may forget a job at its end, or refuse to be
 * asked about it (RFC 8011).
 */

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { IppDecodingError } from '@platen/ipp/decoding-error.ts'
import type { IppStatus } from '@platen/ipp/status-codes.ts'
import { integer, keyword, uri } from '@platen/ipp/typed.ts'
import type { IppClient } from '../../ipp/client.ts'
import { IppConnectionError, IppError, UnknownKeyError } from '../../ipp/ipp-error.ts'
import { requestingUser } from '../cups/cups-jobs.ts'
import { hasNamePrefix, toPrefixedName } from '../cups/job-name.ts'
import { type CupsJob, JOB_ATTRIBUTES, readJob } from '../cups/job-state.ts'
import { removeSeverity } from '../cups/printer-state.ts'
import { toSentence } from '../to-sentence.ts'
import { COMPLETED, type FinalState, NothingSent, type Printing } from './device.ts'
import type { NetworkJob } from './job-store.ts'
import { ForeignAddress } from './local-networks.ts'

/** The printer itself says that the job is completed. */
export const PRINTED: FinalState = { ...COMPLETED, confirmedBy: 'printer' }

const QUICK_MS = 250
const QUICK_POLLS = 8
const SLOW_MS = 1_000
const CANCEL_ATTEMPTS = 3

/** Temporary errors. The printer has not executed the request. */
const BUSY: IppStatus[] = [
  'server-error-busy',
  'server-error-temporary-error',
  'server-error-not-accepting-jobs',
  'server-error-device-error',
  'server-error-service-unavailable',
]

const REQUESTED_ATTRIBUTES = { 'requested-attributes': JOB_ATTRIBUTES.map(keyword) }

export interface IppDocument {
  /** "application/pdf". */
  format: string
  /** How many times the document is sent in sequence. */
  times: number
  /** The number of jobs that are sent, one after the other. */
  jobs: number
  jobAttributes: IppTypedAttributes
}

/** A job that the printer has accepted, as far as its answer says. */
export interface AcceptedJob {
  id?: number
  /** The URI of the job. Some printers find a job by its URI and not by its id. */
  uri?: string
  isCompleted: boolean
}

/**
 * @throws NothingSent if the printer has no job and may accept it later; IppError if it refuses the job. After any
 *   other error the printer may have the job.
 */
export async function printJob(
  client: IppClient,
  { token, title }: NetworkJob,
  { format, times, jobAttributes }: IppDocument,
  { file, signal }: Printing,
): Promise<AcceptedJob> {
  const { size } = await stat(file)
  try {
    const { jobs } = await client.request({
      operation: 'Print-Job',
      attributes: {
        ...requestingUser,
        'job-name': { syntax: 'nameWithoutLanguage', value: toPrefixedName(title, token) },
        'document-format': { syntax: 'mimeMediaType', value: format },
      },
      jobAttributes,
      document: readRepeatedly(file, times),
      documentLength: size * times,
      signal,
    })
    const { 'job-id': [id] = [], 'job-uri': [jobUri] = [] } = jobs[0] ?? {}
    return {
      ...(typeof id === 'number' && { id }),
      ...(typeof jobUri === 'string' && { uri: jobUri }),
      isCompleted: jobs[0]?.['job-state'] !== undefined && readJob(jobs[0]).state === 'completed',
    }
  } catch (error) {
    if (error instanceof IppConnectionError && !error.connected) throw new NothingSent(explainFailure(error))
    if (isBusy(error))
      throw new NothingSent('The printer does not accept jobs at the moment.', ['printer-not-accepting-jobs'])
    throw error
  }
}

export const isBusy = (error: unknown) => error instanceof IppError && BUSY.includes(error.status)

/** Why the printer did not answer a query, as a sentence for users. */
export function explainFailure(error: unknown): string {
  const what = 'The printer does not report its state'
  if (error instanceof IppDecodingError) return `${what}: it answers, but not as a printer.`
  if (error instanceof UnknownKeyError) return error.message
  if (error instanceof Error && error.cause instanceof ForeignAddress) return error.cause.message
  if (!(error instanceof IppError)) return 'The printer cannot be reached.'
  return error.detail ? toSentence(`${what}: ${error.detail}`) : `${what} (${error.status}).`
}

async function* readRepeatedly(file: string, times: number): AsyncIterable<Uint8Array> {
  for (let count = 0; count < times; count++) yield* createReadStream(file)
}

/** @returns the id of the job with this token, which may have ended; undefined if the printer does not know it. */
export async function findJob(client: IppClient, token: string): Promise<number | undefined> {
  for (const which of ['not-completed', 'completed']) {
    const { jobs } = await client.request({
      operation: 'Get-Jobs',
      attributes: { ...requestingUser, 'which-jobs': keyword(which), ...REQUESTED_ATTRIBUTES },
    })
    const found = jobs.map(readJob).findLast(({ name }) => hasNamePrefix(name, token))
    if (found) return found.id
  }
  return undefined
}

/** Few printers besides CUPS report a message for a job. */
const WAITING: Partial<Record<CupsJob['state'], string>> = {
  pending: 'The job waits in the queue of the printer.',
  'pending-held': 'The job is held at the printer.',
  'processing-stopped': 'The printer has stopped the job.',
}

/** A single failure can be temporary. The second query of a job names it by its URI. */
const UNKNOWN_MIN = 2

/**
 * Polls the printer until the job has ended. Waits without limit while the printer is unreachable.
 *
 * @param isAccepted whether the printer has accepted the job in this connection of the agent.
 * @returns `forgotten` if the printer accepted or knew the job and says nothing about it any more; `unknown` if it was
 *   unreachable before, for example switched off, or never knew the job.
 * @throws the reason of the signal, after the job was canceled at the printer.
 */
export async function followJob(
  client: IppClient,
  { id, uri: jobUri }: Pick<AcceptedJob, 'uri'> & { id: number },
  isAccepted: boolean,
  { report, signal }: Pick<Printing, 'report' | 'signal'>,
): Promise<FinalState | 'forgotten' | 'unknown'> {
  let isKnown = isAccepted
  let unknownPolls = 0
  for (let polls = 0; ; polls++) {
    try {
      const job = await getJob(client, unknownPolls > 0 && jobUri ? { 'job-uri': uri(jobUri) } : toTarget(id), signal)
      const finalState = job && toFinalState(job)
      if (finalState) return finalState
      isKnown ||= job !== undefined
      unknownPolls = job ? 0 : unknownPolls + 1
      if (job) report(job.printerMessage || WAITING[job.state], job.printerReasons.map(removeSeverity))
    } catch (error) {
      unknownPolls = 0
      // A printer that is switched off forgets jobs that it has not printed.
      if (error instanceof IppConnectionError) isKnown = false
      if (!signal.aborted) report(explainFailure(error), ['connecting-to-device'])
    }
    if (unknownPolls >= UNKNOWN_MIN) return isKnown ? 'forgotten' : 'unknown'
    await sleep(polls < QUICK_POLLS ? QUICK_MS : SLOW_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) {
      await cancelJob(client, id)
      signal.throwIfAborted()
    }
  }
}

const toTarget = (id: number): IppTypedAttributes => ({ 'job-id': integer(id) })

/** @returns undefined if the printer does not know the job, cannot be asked about it, or does not say its state. */
async function getJob(
  client: IppClient,
  target: IppTypedAttributes,
  signal: AbortSignal,
): Promise<CupsJob | undefined> {
  try {
    const { jobs } = await client.request({
      operation: 'Get-Job-Attributes',
      attributes: { ...target, ...requestingUser, ...REQUESTED_ATTRIBUTES },
      signal,
    })
    return jobs[0]?.['job-state'] === undefined ? undefined : readJob(jobs[0])
  } catch (error) {
    if (error instanceof IppDecodingError || (error instanceof IppError && !isBusy(error))) return undefined
    throw error
  }
}

/** Best effort: an unreachable printer may print the job. */
export async function cancelJob(client: IppClient, id: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.request({ operation: 'Cancel-Job', attributes: { ...toTarget(id), ...requestingUser } })
      return
    } catch (error) {
      // The job has ended or is unknown to the printer.
      if (error instanceof IppError || attempt === CANCEL_ATTEMPTS) return
      await sleep(SLOW_MS)
    }
  }
}

function toFinalState({ state, printerMessage }: CupsJob): FinalState | undefined {
  const toMessage = (what: string) => toSentence(printerMessage === '' ? what : `${what}: ${printerMessage}`)
  if (state === 'completed') return PRINTED
  if (state === 'aborted')
    return { is: 'aborted', message: toMessage('The printer aborted the job'), reasons: ['job-aborted-by-system'] }
  if (state === 'canceled')
    return {
      is: 'aborted',
      message: toMessage('The job was canceled at the printer'),
      reasons: ['job-canceled-at-device'],
    }
  return undefined
}
