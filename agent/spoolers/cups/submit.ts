/** Hands a document to CUPS: a held job, its document, and the proof that CUPS has both. */

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IppTypedAttributes } from '../../ipp/attributes.ts'
import type { IppClient } from '../../ipp/client.ts'
import { IppError } from '../../ipp/ipp-error.ts'
import type { IppStatus } from '../../ipp/status-codes.ts'
import { integer, keyword, uri } from '../../ipp/typed.ts'
import { SpoolerRefusal, type Submission, type Submitted } from '../spooler.ts'
import { checkPdf } from './check-pdf.ts'
import { asUser, type CupsJobs } from './cups-jobs.ts'
import { jobName } from './job-name.ts'
import type { CupsJob } from './job-state.ts'
import { mapOptions, toCopies } from './options.ts'
import { QUEUE_ATTRIBUTES, type Queue, type ReportedQueue } from './queue.ts'

export interface SubmitParts {
  client: IppClient
  jobs: CupsJobs
  /** What was reported of the queue; undefined when it was not. */
  getReported(osName: string): Promise<ReportedQueue | undefined>
}

/** Passes untouched by any filter. */
const RAW_FORMAT = 'application/vnd.cups-raw'

/** Said of this job, and not of the moment: asking again would bring the same answer. Other refusals by the client's fault are too. */
const REFUSALS: Partial<Record<IppStatus, { message: string; reason: string }>> = {
  'client-error-not-found': {
    message: 'The computer has no such printer any more. Nothing was printed.',
    reason: 'printer-not-found',
  },
  'client-error-document-format-not-supported': {
    message: 'The printer does not take documents of this kind. Nothing was printed.',
    reason: 'document-format-not-supported',
  },
  'server-error-not-accepting-jobs': {
    message: 'The print queue on the computer does not accept jobs. Nothing was printed.',
    reason: 'printer-not-accepting-jobs',
  },
}

/** Passes by itself: too many jobs are active. */
const TEMPORARY: IppStatus[] = ['client-error-not-possible', 'client-error-timeout']

/**
 * @returns the job, held and with its document, and what was dropped of the options.
 * @throws SpoolerRefusal
 */
export async function submit(
  parts: SubmitParts,
  submission: Submission,
): Promise<{ job: CupsJob; warnings: Submitted['warnings'] }> {
  const isPdf = submission.contentType.startsWith('pdf')
  if (isPdf) await checkPdf(submission.file)
  try {
    return await submitChecked(parts, submission, isPdf)
  } catch (error) {
    throw error instanceof IppError ? toRefusal(error) : error
  }
}

async function submitChecked({ client, jobs, getReported }: SubmitParts, submission: Submission, isPdf: boolean) {
  const { token, title, printerOsName, file, qty } = submission
  const printer = printerUri(printerOsName)
  const known = isPdf ? await getReported(printerOsName) : undefined
  const { printers } = await client.request({
    operation: 'Get-Printer-Attributes',
    attributes: { ...printer, ...asUser, 'requested-attributes': QUEUE_ATTRIBUTES.map(keyword) },
  })
  const queue: Queue = { papers: new Map(), dpis: [], ...known, attributes: printers[0] ?? {} }
  // Raw jobs ignore options: docs/reference/print-jobs.md#content.raw.options.
  const { attributes, warnings } = isPdf
    ? mapOptions(submission.options, qty, queue)
    : { attributes: toCopies(qty, { ...queue, copies: undefined }), warnings: [] }

  const created = await client.request({
    operation: 'Create-Job',
    attributes: {
      ...printer,
      ...asUser,
      'job-name': { syntax: 'nameWithoutLanguage', value: jobName(title, token) },
    },
    jobAttributes: { ...attributes, 'job-hold-until': keyword('indefinite') },
  })
  const id = Number(created.jobs[0]?.['job-id']?.[0])
  try {
    await client.request({
      operation: 'Send-Document',
      attributes: {
        ...printer,
        'job-id': integer(id),
        ...asUser,
        'document-format': { syntax: 'mimeMediaType', value: isPdf ? 'application/pdf' : RAW_FORMAT },
        'last-document': { syntax: 'boolean', value: true },
      },
      document: createReadStream(file),
      documentLength: (await stat(file)).size,
    })
  } catch (error) {
    // Held and without a document it would lie there for a quarter of an hour. What this misses `find` takes out.
    await jobs.cancel(id).catch(() => undefined)
    throw error
  }
  const job = await jobs.get(id)
  if (!job?.hasDocument || !job.uuid) throw new Error('CUPS has taken the document and does not know its job.')
  return { job, warnings }
}

/** How a queue is called, wherever CUPS is. */
const printerUri = (osName: string): IppTypedAttributes => ({
  'printer-uri': uri(`ipp://localhost/printers/${encodeURIComponent(osName)}`),
})

function toRefusal(error: IppError): Error {
  const { message, reason } = REFUSALS[error.status] ?? {}
  if (message && reason) return new SpoolerRefusal(message, [reason])
  if (!error.status.startsWith('client-error-') || TEMPORARY.includes(error.status)) return error
  return new SpoolerRefusal(`CUPS refused the job: ${error.message}.`, ['job-aborted-by-system'])
}
