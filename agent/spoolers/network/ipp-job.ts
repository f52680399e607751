/** One job at an IPP printer: handed over, found again, followed to its end, canceled. */

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IppTypedAttributes } from '../../ipp/attributes.ts'
import type { IppClient } from '../../ipp/client.ts'
import { IppConnectionError, IppError } from '../../ipp/ipp-error.ts'
import type { IppStatus } from '../../ipp/status-codes.ts'
import { integer, keyword } from '../../ipp/typed.ts'
import { requestingUser } from '../cups/cups-jobs.ts'
import { toJobName, toNameSuffix } from '../cups/job-name.ts'
import { type CupsJob, JOB_ATTRIBUTES, readJob } from '../cups/job-state.ts'
import { removeSeverity } from '../cups/printer-state.ts'
import { COMPLETED, type Ended, NothingSent, type Printing } from './device.ts'
import type { NetworkJob } from './job-store.ts'

const QUICK_MS = 250
const QUICK_POLLS = 8
const SLOW_MS = 1_000
const CANCEL_ATTEMPTS = 3

/** Said of the moment: the printer has no job by this, and may take it later. */
const BUSY: IppStatus[] = [
  'server-error-busy',
  'server-error-temporary-error',
  'server-error-not-accepting-jobs',
  'server-error-device-error',
]

const WANTED = { 'requested-attributes': JOB_ATTRIBUTES.map(keyword) }

export interface IppDocument {
  /** "application/pdf". */
  format: string
  /** How often the document's bytes are sent, one after the other. */
  times: number
  jobAttributes: IppTypedAttributes
}

/**
 * @returns the printer's id of the job.
 * @throws NothingSent when the printer has no job by it and may take it later; IppError when it refuses it. After any other error the
 *   printer may have the job.
 */
export async function printJob(
  client: IppClient,
  { token, title }: NetworkJob,
  { format, times, jobAttributes }: IppDocument,
  { file, signal }: Printing,
): Promise<number> {
  const { size } = await stat(file)
  try {
    const { jobs } = await client.request({
      operation: 'Print-Job',
      attributes: {
        ...requestingUser,
        'job-name': { syntax: 'nameWithoutLanguage', value: toJobName(title, token) },
        'document-format': { syntax: 'mimeMediaType', value: format },
      },
      jobAttributes,
      document: repeated(file, times),
      documentLength: size * times,
      signal,
    })
    const id = jobs[0]?.['job-id']?.[0]
    if (typeof id !== 'number') throw new Error('the printer named no job')
    return id
  } catch (error) {
    if (error instanceof IppConnectionError && !error.connected) throw cannotBeReached()
    if (error instanceof IppError && BUSY.includes(error.status))
      throw new NothingSent('The printer takes no job at the moment.', ['printer-not-accepting-jobs'])
    throw error
  }
}

export const cannotBeReached = () => new NothingSent('The printer cannot be reached.')

async function* repeated(file: string, times: number): AsyncIterable<Uint8Array> {
  for (let time = 0; time < times; time++) yield* createReadStream(file)
}

/** The job that carries this token; it may have ended. Undefined when the printer has none, or none any more. */
export async function findJob(client: IppClient, token: string): Promise<number | undefined> {
  for (const which of ['not-completed', 'completed']) {
    const { jobs } = await client.request({
      operation: 'Get-Jobs',
      attributes: { ...requestingUser, 'which-jobs': keyword(which), ...WANTED },
    })
    const found = jobs.map(readJob).findLast(({ name }) => name.endsWith(toNameSuffix(token)))
    if (found) return found.id
  }
  return undefined
}

/**
 * Asks the printer until the job has ended, however long it cannot be reached meanwhile.
 *
 * @returns undefined when the printer does not know the job any more.
 * @throws the signal's reason, once the printer was told to cancel the job.
 */
export async function followJob(
  client: IppClient,
  id: number,
  { report, signal }: Pick<Printing, 'report' | 'signal'>,
): Promise<Ended | undefined> {
  for (let polls = 0; ; polls++) {
    try {
      const job = await getJob(client, id, signal)
      if (!job) return undefined
      const ended = toEnd(job)
      if (ended) return ended
      report(job.printerMessage || undefined, job.printerReasons.map(removeSeverity))
    } catch (error) {
      if (!signal.aborted) report(toMessage(error), ['connecting-to-device'])
    }
    await sleep(polls < QUICK_POLLS ? QUICK_MS : SLOW_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) {
      await cancelJob(client, id)
      signal.throwIfAborted()
    }
  }
}

async function getJob(client: IppClient, id: number, signal: AbortSignal): Promise<CupsJob | undefined> {
  try {
    const { jobs } = await client.request({
      operation: 'Get-Job-Attributes',
      attributes: { 'job-id': integer(id), ...requestingUser, ...WANTED },
      signal,
    })
    return jobs[0] && readJob(jobs[0])
  } catch (error) {
    if (error instanceof IppError && error.status === 'client-error-not-found') return undefined
    throw error
  }
}

/** As well as it can be told: a printer that does not answer prints what it likes. */
export async function cancelJob(client: IppClient, id: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.request({ operation: 'Cancel-Job', attributes: { 'job-id': integer(id), ...requestingUser } })
      return
    } catch (error) {
      // It has ended, or the printer has forgotten it.
      if (error instanceof IppError || attempt === CANCEL_ATTEMPTS) return
      await sleep(SLOW_MS)
    }
  }
}

function toEnd({ state, printerMessage }: CupsJob): Ended | undefined {
  const why = printerMessage === '' ? '.' : `: ${printerMessage}`
  if (state === 'completed') return COMPLETED
  if (state === 'aborted')
    return { is: 'aborted', message: `The printer gave the job up${why}`, reasons: ['job-aborted-by-system'] }
  if (state === 'canceled')
    return { is: 'aborted', message: `The job was canceled at the printer${why}`, reasons: ['job-canceled-at-device'] }
  return undefined
}

const toMessage = (error: unknown) =>
  error instanceof IppError
    ? `The printer does not say how the job stands (${error.status}).`
    : 'The printer cannot be reached.'
