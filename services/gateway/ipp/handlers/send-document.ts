import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Job, Submission } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Gateway } from '../../gateway.ts'
import { required } from '../../required.ts'
import { CREATED, JOB_ATTRIBUTES } from '../attributes/job-attributes.ts'
import { selectAttributes } from '../attributes/select.ts'
import { unpackOptions } from '../new-job.ts'
import type { AccessCall, IppOperationRow } from '../operation.ts'
import { findJob, readJobNumber, toJobFacts } from '../read-jobs.ts'
import { IppRefusal } from '../refusal.ts'
import { bad } from '../request.ts'
import { requireCreated, submitDocument } from '../submit-document.ts'

/** The submission stays open for four times this time. */
const EXTEND_EVERY_MS = 30_000

/**
 * Creates the job of a submission, under its id, so that a document that is sent twice is one job. After a failure the
 * submission has ended, and the computer can learn that nothing was printed.
 */
export const sendDocument: IppOperationRow = {
  name: 'Send-Document',
  hasDocument: true,
  handle: (gateway) => async (call) => {
    const { operationAttributes } = call
    const isLast = operationAttributes.boolean('last-document')
    if (isLast === undefined) throw bad('The request has no last-document.')
    const found = await findJob(gateway, call, readJobNumber(operationAttributes), true)
    const now = gateway.clock.now()
    const answer = (one: typeof found) => ({
      jobs: [selectAttributes(JOB_ATTRIBUTES, CREATED, toJobFacts(one, { ...call, now }))],
    })
    // Its answer was lost.
    if ('job' in found) return answer(found)
    const { submission } = found
    if (submission.endReason !== undefined)
      throw new IppRefusal('client-error-not-possible', 'This job has ended without a document. Print it again.')
    if (!isLast) {
      await end(gateway, call, submission)
      throw new IppRefusal(
        'server-error-multiple-document-jobs-not-supported',
        'A job has one document. Send it with last-document true.',
      )
    }
    try {
      const job = await submitDocument(gateway, call, {
        jobId: submission.id,
        title: submission.title,
        reportedUser: submission.reportedUser ?? '',
        ...unpackOptions(submission.options),
        submitted: true,
        document: keepOpen(gateway, call, submission),
      })
      return answer({ job })
    } catch (error) {
      if (await end(gateway, call, submission)) throw error
      const find = () => findCreated(gateway, call, submission)
      return answer({ job: await requireCreated(error, find) })
    }
  },
}

/**
 * Does nothing if the job was created after all. A sweep ends it if this fails.
 *
 * @returns whether there is and will be no job.
 */
async function end({ jobs, log }: Gateway, { tenant, createdBy }: AccessCall, { id }: Submission): Promise<boolean> {
  try {
    return (await jobs.endSubmission({ ...tenant, createdBy, id, reason: 'interrupted' })).ended
  } catch (err) {
    log.warn({ err, submission_id: id }, 'failed to end a submission, it ends by itself')
    return false
  }
}

/** @returns undefined for a submission that has ended. @throws Error for one that can still become a job. */
async function findCreated(gateway: Gateway, call: AccessCall, { number }: Submission): Promise<Job | undefined> {
  const found = await findJob(gateway, call, number)
  if ('job' in found) return found.job
  if (found.submission.endReason !== undefined) return undefined
  throw new Error('the submission is open')
}

/**
 * Extends the submission while its document arrives. One that has arrived soon after the begin needs no extension,
 * which is a commit.
 *
 * @throws IppRefusal if it has ended meanwhile.
 */
async function* keepOpen(gateway: Gateway, call: AccessCall, submission: Submission): AsyncGenerator<Buffer> {
  const { jobs, clock } = gateway
  const { ctx, tenant, createdBy, document } = call
  const { id, createdAt } = submission
  const isNew = clock.now().getTime() - timestampMs(required(createdAt)) < EXTEND_EVERY_MS
  let extendedAt = ctx.req.complete && isNew ? clock.monotonicMs() : Number.NEGATIVE_INFINITY
  for await (const chunk of document) {
    if (clock.monotonicMs() - extendedAt >= EXTEND_EVERY_MS) {
      extendedAt = clock.monotonicMs()
      const { isOpen } = await jobs.extendSubmission({ ...tenant, createdBy, id })
      if (!isOpen) throw new IppRefusal('server-error-job-canceled', 'This job was cancelled, or its time is over.')
    }
    yield chunk
  }
}
