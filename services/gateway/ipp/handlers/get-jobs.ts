import { keyword } from '@platen/ipp/typed.ts'
import { JOB_ATTRIBUTES } from '../attributes/job-attributes.ts'
import { selectAttributes } from '../attributes/select.ts'
import { WHICH_JOBS } from '../job-states.ts'
import type { IppOperationRow } from '../operation.ts'
import { type FoundJob, toJobFacts, toJobFilter, toSubmissionOwner } from '../read-jobs.ts'
import { IppRefusal } from '../refusal.ts'
import { bad } from '../request.ts'

const JOBS_MAX = 100

/** What RFC 8011, section 4.2.6, names for a request without `requested-attributes`. */
const BY_DEFAULT = ['job-id', 'job-uri']

/**
 * The jobs of the print access on the printer: those that are not completed with the oldest first, others with the
 * newest first.
 */
export const getJobs: IppOperationRow = {
  name: 'Get-Jobs',
  handle:
    ({ jobs, clock }) =>
    async (call) => {
      const { operationAttributes, tenant, createdBy, target } = call
      const which = operationAttributes.text('which-jobs') ?? 'not-completed'
      const filter = Object.hasOwn(WHICH_JOBS, which) ? WHICH_JOBS[which] : undefined
      if (!filter)
        throw new IppRefusal(
          'client-error-attributes-or-values-not-supported',
          `which-jobs must be one of ${Object.keys(WHICH_JOBS).join(', ')}.`,
          { 'which-jobs': keyword(which.slice(0, 255)) },
        )
      const limit = operationAttributes.integer('limit') ?? JOBS_MAX
      if (limit < 1) throw bad('The limit must be above 0.')
      const own = { ...tenant, createdBy }
      const ascending = which === 'not-completed'
      const page = { ...toJobFilter(target), states: filter.states, limit: Math.min(limit, JOBS_MAX), ascending }
      const [found, { submissions }] = await Promise.all([
        jobs.listNumberedJobs({ ...own, ...page }),
        filter.submissions === 'none'
          ? { submissions: [] }
          : jobs.listSubmissions({ ...own, ...toSubmissionOwner(target), openOnly: filter.submissions === 'open' }),
      ])
      const shown = submissions.filter(({ endReason }) => isShown(filter.submissions, which, endReason))
      const all: FoundJob[] = [...found.jobs.map((job) => ({ job })), ...shown.map((submission) => ({ submission }))]
      const user = operationAttributes.boolean('my-jobs') ? operationAttributes.text('requesting-user-name') : undefined
      const isOfUser = (one: FoundJob) =>
        user === undefined || ('job' in one ? one.job : one.submission).reportedUser === user
      const number = (one: FoundJob) => ('job' in one ? (one.job.number ?? 0) : one.submission.number)
      const sorted = all
        .filter(isOfUser)
        .toSorted((a, b) => (ascending ? number(a) - number(b) : number(b) - number(a)))
      const requested = operationAttributes.all('requested-attributes')
      const facts = { ...call, now: clock.now() }
      return {
        jobs: sorted
          .slice(0, page.limit)
          .map((one) => selectAttributes(JOB_ATTRIBUTES, requested, toJobFacts(one, facts), BY_DEFAULT)),
      }
    },
}

function isShown(submissions: string, which: string, endReason: string | undefined): boolean {
  if (submissions === 'all') return true
  if (submissions === 'open') return endReason === undefined
  if (which === 'canceled') return endReason === 'cancelled'
  return endReason !== undefined && (which !== 'aborted' || endReason === 'interrupted')
}
