/** Submits a job to CUPS: creates a held job, sends the document, and checks that CUPS has both. */

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import type { IppStatus } from '@platen/ipp/status-codes.ts'
import { integer, keyword, uri } from '@platen/ipp/typed.ts'
import type { IppClient } from '../../ipp/client.ts'
import { IppError } from '../../ipp/ipp-error.ts'
import { requireRaw } from '../raw-documents.ts'
import { REFUSED_BY_SYSTEM, SpoolerRefusal, type Submission, type Submitted } from '../spooler.ts'
import { toSentence } from '../to-sentence.ts'
import { isRaw } from './capabilities.ts'
import { CANCEL_LATE, type CupsJobs, requestingUser, USER } from './cups-jobs.ts'
import { queryDevice } from './devices.ts'
import { toJobName } from './job-name.ts'
import { type CupsJob, PARTS } from './job-state.ts'
import { hasDefaultSize, isRotated } from './media-col.ts'
import { mapOptions, mapRawOptions } from './options.ts'
import { QUEUE_ATTRIBUTES, type Queue, type ReportedQueue } from './queue.ts'
import { hasRasterDriver } from './raster-driver.ts'

export interface SubmitContext {
  client: IppClient
  jobs: CupsJobs
  /** The reported part of the queue; undefined for an unknown queue. */
  getReportedQueue(osName: string): Promise<ReportedQueue | undefined>
}

/** CUPS sends documents of this format without filters. */
const RAW_FORMAT = 'application/vnd.cups-raw'

/** Permanent errors with a specific message. Other `client-error-…` are permanent as well, except for `TEMPORARY`. */
const REFUSALS: Partial<Record<IppStatus, { message: string; reason: string }>> = {
  'client-error-not-found': {
    message: 'The computer no longer has this printer. Nothing was printed.',
    reason: 'printer-not-found',
  },
  'client-error-document-format-not-supported': {
    message: 'The printer does not support documents of this format. Nothing was printed.',
    reason: 'document-format-not-supported',
  },
  'server-error-not-accepting-jobs': {
    message: 'The print queue on the computer rejects jobs. Nothing was printed.',
    reason: 'printer-not-accepting-jobs',
  },
}

/**
 * Retried. Too many jobs are active, a quota of the queue is used up, or the disk of CUPS has no space for the
 * document.
 */
const TEMPORARY: IppStatus[] = [
  'client-error-not-possible',
  'client-error-timeout',
  'client-error-request-entity-too-large',
]

/** The users of the queue (`lpadmin -u`). */
const NOT_ADMITTED: IppStatus = 'client-error-not-authorized'

/** The policy of the queue. */
const NEEDS_PASSWORD: IppStatus = 'client-error-not-authenticated'

/**
 * @returns the held jobs with their documents, and the warnings for dropped options.
 * @throws SpoolerRefusal
 */
export async function submit(
  parts: SubmitContext,
  submission: Submission,
): Promise<{ parts: CupsJob[] } & Omit<Submitted, 'spoolerJobId'>> {
  const isPdf = submission.contentType.startsWith('pdf')
  try {
    return await submitChecked(parts, submission, isPdf)
  } catch (error) {
    throw error instanceof IppError ? toRefusal(error, submission.printerOsName) : error
  }
}

async function submitChecked(
  { client, jobs, getReportedQueue }: SubmitContext,
  submission: Submission,
  isPdf: boolean,
) {
  const { printerOsName, qty } = submission
  const printer = toPrinterUri(printerOsName)
  const reported = isPdf ? await getReportedQueue(printerOsName) : undefined
  const { printers } = await client.request({
    operation: 'Get-Printer-Attributes',
    attributes: { ...printer, ...requestingUser, 'requested-attributes': QUEUE_ATTRIBUTES.map(keyword) },
  })
  const queue: Queue = { papers: new Map(), dpis: [], ...reported, attributes: printers[0] ?? {} }
  if (isRaw(queue.attributes)) requireRaw(submission)
  else if (isPdf && !hasDefaultSize(queue)) queue.device = await queryDevice(queue.attributes['device-uri']?.[0])
  if (isRotated(submission.options.paper ?? null, queue)) queue.isRaster = await hasRasterDriver(client, printer)
  const {
    jobs: count,
    attributes,
    warnings,
    documentWarnings,
  } = isPdf ? mapOptions(submission.options, qty, queue, submission.pdf) : mapRawOptions(qty, queue.attributes)

  const format = isPdf ? 'application/pdf' : RAW_FORMAT
  const jobAttributes = {
    ...attributes,
    ...CANCEL_LATE,
    ...(count > 1 && { [PARTS]: integer(count) }),
  }
  const parts: CupsJob[] = []
  try {
    while (parts.length < count) parts.push(await submitPart({ client, jobs }, submission, format, jobAttributes))
  } catch (error) {
    // Nothing was released. If this fails, `find` purges them.
    for (const { id } of parts) await jobs.purge(id).catch(() => undefined)
    throw error
  }
  return { parts, warnings, documentWarnings }
}

async function submitPart(
  { client, jobs }: Pick<SubmitContext, 'client' | 'jobs'>,
  { token, title, printerOsName, file }: Submission,
  format: string,
  jobAttributes: IppTypedAttributes,
): Promise<CupsJob> {
  const printer = toPrinterUri(printerOsName)
  const created = await client.request({
    operation: 'Create-Job',
    attributes: {
      ...printer,
      ...requestingUser,
      'job-name': { syntax: 'nameWithoutLanguage', value: toJobName(title, token) },
    },
    jobAttributes: { ...jobAttributes, 'job-hold-until': keyword('indefinite') },
  })
  const id = Number(created.jobs[0]?.['job-id']?.[0])
  try {
    await client.request({
      operation: 'Send-Document',
      attributes: {
        ...printer,
        'job-id': integer(id),
        ...requestingUser,
        'document-format': { syntax: 'mimeMediaType', value: format },
        'last-document': { syntax: 'boolean', value: true },
      },
      // First, because a stream without a reader has no handler of its errors.
      documentLength: (await stat(file)).size,
      document: createReadStream(file),
    })
  } catch (error) {
    // A held job without a document would stay in the queue for 15 minutes. If this fails, `find` cancels it.
    await jobs.cancel(id).catch(() => undefined)
    throw error
  }
  const job = await jobs.get(id)
  if (!job?.hasDocument || !job.uuid) throw new Error('CUPS accepted the document but does not know its job.')
  return job
}

/** Independent of the address of CUPS. */
const toPrinterUri = (osName: string): IppTypedAttributes => ({
  'printer-uri': uri(`ipp://localhost/printers/${encodeURIComponent(osName)}`),
})

/** CUPS has no job. */
function toRefusal(error: IppError, queue: string): Error {
  const { message, reason } = REFUSALS[error.status] ?? {}
  if (message && reason) return new SpoolerRefusal(message, [reason])
  const cause = error.detail ? `: ${error.detail}` : ` (${error.status})`
  if (!error.status.startsWith('client-error-') || TEMPORARY.includes(error.status))
    return new Error(toSentence(`CUPS does not take the job at the moment${cause}`), { cause: error })
  return new SpoolerRefusal(toRefusalMessage(error.status, cause, queue), [REFUSED_BY_SYSTEM])
}

function toRefusalMessage(status: IppStatus, cause: string, queue: string): string {
  if (status === NOT_ADMITTED)
    return `The print queue ${queue} does not admit the user ${USER}. Nothing was printed. Add it to the users of the queue on the computer: \`lpadmin -p ${queue} -u allow:${USER},…\`, or \`allow:all\`.`
  if (status === NEEDS_PASSWORD)
    return `The policy of the print queue ${queue} requires a password, which the agent does not have. Nothing was printed. Choose another policy on the computer: \`lpadmin -p ${queue} -o printer-op-policy=default\`.`
  return `${toSentence(`CUPS refused the job${cause}`)} Nothing was printed.`
}
