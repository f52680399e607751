import { type Entry, entries } from '../entry.ts'
import { quota, usage } from '../named-tests.ts'

const NOTHING_USED = usage(
  'an organization that has done nothing yet has used nothing, of a month in UTC and of a plan without limits',
)
const SHOWN = quota('the usage is shown in the form that was decided, a limit that is absent as null')
const ONE_PRINT = usage('an accepted live job is one print, whatever its qty and pages')
const COMPUTERS = usage('live computers are counted, and the virtual test computer is not')
const TEST_JOBS = usage('test jobs are counted for the UTC day, until the next one begins')
const NEW_MONTH = usage('a new month counts from 0, and a job belongs to the month in UTC in which it was created')

export const USAGE: Entry[] = entries('decisions: Identity and limits', [
  ['endpoint.GET /v1/usage', 'The usage of the current period is reported.', NOTHING_USED, SHOWN],
  ['usage.period.start', '`period.start` is the begin of the calendar month in UTC.', NOTHING_USED, NEW_MONTH],
  ['usage.period.end', '`period.end` is the begin of the next month, exclusive.', NOTHING_USED, NEW_MONTH],
  ['usage.prints.used', '`prints.used` counts accepted live jobs.', ONE_PRINT, NEW_MONTH],
  ['usage.prints.limit', '`prints.limit` is null when there is no limit.', NOTHING_USED, SHOWN],
  ['usage.computers.used', '`computers.used` counts the computers.', COMPUTERS],
  ['usage.computers.limit', '`computers.limit` is null when there is no limit.', NOTHING_USED],
  ['usage.plan', '`plan` is a string.', NOTHING_USED],
  ['usage.testJobsToday.used', '`testJobsToday.used` counts the test jobs of the UTC day.', TEST_JOBS],
  ['usage.testJobsToday.limit', '`testJobsToday.limit` is 500.', NOTHING_USED],
  ['usage.testJobsToday.resetsAt', '`testJobsToday.resetsAt` is the next UTC midnight.', TEST_JOBS],
  ['usage.print.qty', 'A job with `qty` 2 is one print.', ONE_PRINT],
  ['usage.print.pages', 'A job of several pages is one print.', ONE_PRINT],
  [
    'usage.print.outcome',
    'A job that ends in `error` is one print.',
    usage('a live job that ends in error or expires is one print'),
  ],
  ['usage.print.refused', 'A creation that is refused is no print.', usage('a creation that is refused is no print')],
  [
    'usage.test-key',
    "A test key sees the organization's live usage.",
    usage("a test key sees the organization's live usage"),
  ],
  ['usage.default-plan', 'The default plan of a self-hosted installation has no limit.', NOTHING_USED],
  ['usage.next-period', 'A new month counts from 0.', NEW_MONTH],
])
