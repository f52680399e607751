/**
 * Jobs of a print access on a printer, and its submissions that are no jobs. Others do not exist for it, because titles
 * are private.
 */
import type { Job, Submission } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Gateway } from '../gateway.ts'
import type { JobFacts } from './attributes/job-attributes.ts'
import type { FoundPrinter } from './find-printer.ts'
import { DOCUMENT_PROBLEM, toStateMessage } from './job-message.ts'
import { STATES, toShownState } from './job-states.ts'
import { unpackOptions } from './new-job.ts'
import type { AccessCall } from './operation.ts'
import { IppRefusal } from './refusal.ts'
import { bad, type OperationAttributes } from './request.ts'

export type FoundJob = { job: Job } | { submission: Submission }

/** The number in `job-id`, or at the end of `job-uri`. @throws IppRefusal */
export function readJobNumber(attributes: OperationAttributes): number {
  const id = attributes.integer('job-id')
  const fromUri = /\/(\d{1,10})$/.exec(attributes.text('job-uri') ?? '')?.[1]
  const number = id ?? (fromUri === undefined ? undefined : Number(fromUri))
  if (number === undefined) throw bad('The request has no job-id.')
  if (!Number.isInteger(number) || number < 1 || number > 2 ** 31 - 1) throw noJob(number)
  return number
}

const noJob = (number: number) =>
  new IppRefusal('client-error-not-found', `There is no job ${number} of this print access on this printer.`)

type Target = Pick<FoundPrinter, 'id' | 'isDestination'>

/** Jobs of a destination are on none of its printers for computers. */
export const toJobFilter = ({ id, isDestination }: Target) =>
  isDestination ? { destinationId: id } : { printerIds: [id], destinationId: '' }

export const toSubmissionOwner = ({ id, isDestination }: Target) =>
  isDestination ? { destinationId: id } : { printerId: id }

/**
 * A submission that becomes a job while it is looked for is found, because each look-up of a submission precedes one of
 * a job.
 *
 * @param isNew it is a submission in nearly all cases, otherwise a job.
 * @throws IppRefusal `client-error-not-found`, also for a job of another access or printer.
 */
export async function findJob(
  { jobs }: Pick<Gateway, 'jobs'>,
  { tenant, createdBy, target }: AccessCall,
  number: number,
  isNew = false,
): Promise<FoundJob> {
  const own = { ...tenant, createdBy }
  const findNumbered = async (): Promise<FoundJob | undefined> => {
    const filters = { numbers: [{ from: number, to: number }], limit: 1 }
    const [job] = (await jobs.listNumberedJobs({ ...own, ...toJobFilter(target), ...filters })).jobs
    return job && { job }
  }
  const known = isNew ? undefined : await findNumbered()
  if (known) return known
  const [submission] = (await jobs.listSubmissions({ ...own, ...toSubmissionOwner(target), number })).submissions
  if (submission) return { submission }
  const created = await findNumbered()
  if (created) return created
  throw noJob(number)
}

type Facts = Pick<AccessCall, 'uris' | 'target' | 'offer'> & { now: Date }

export const toJobFacts = (found: FoundJob, facts: Facts): JobFacts =>
  'job' in found ? jobToFacts(found.job, facts) : submissionToFacts(found.submission, facts)

function jobToFacts(job: Job, { uris, target, offer, now }: Facts): JobFacts {
  const { id, number, title, reportedUser, qty, options, createdAt, sentAt, finishedAt } = job
  const copies = options?.copies
  return {
    id,
    number: number ?? 0,
    title,
    reportedUser: reportedUser ?? '',
    shown: toShownState(job, target.enabled),
    message: toStateMessage(job, target),
    sizeBytes: job.fileSize === undefined ? undefined : Number(job.fileSize),
    hasDocument: true,
    copies: qty * (typeof copies === 'number' ? copies : 1),
    options: options ?? {},
    offer,
    createdAt,
    startedAt: sentAt ?? finishedAt,
    endedAt: finishedAt,
    uris,
    now,
  }
}

function submissionToFacts(submission: Submission, { uris, offer, now }: Facts): JobFacts {
  const { id, number, title, reportedUser, createdAt, endedAt, endReason } = submission
  const shown =
    endReason === undefined
      ? { state: STATES.pending, reasons: ['job-incoming'] }
      : endReason === 'cancelled'
        ? { state: STATES.canceled, reasons: ['job-canceled-by-user'] }
        : { state: STATES.aborted, reasons: ['submission-interrupted'] }
  return {
    id,
    number,
    title,
    reportedUser: reportedUser ?? '',
    shown,
    message: endReason === 'interrupted' ? DOCUMENT_PROBLEM : '',
    sizeBytes: undefined,
    hasDocument: false,
    copies: 1,
    options: unpackOptions(submission.options).options,
    offer,
    createdAt,
    startedAt: endedAt,
    endedAt,
    uris,
    now,
  }
}
