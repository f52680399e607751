import { type Entry, entries, NOT_BUILT } from '../entry.ts'

export const USAGE: Entry[] = entries('decisions: Identity and limits', [
  ['endpoint.GET /v1/usage', 'The usage of the current period is reported.', NOT_BUILT],
  ['usage.period.start', '`period.start` is the begin of the calendar month in UTC.', NOT_BUILT],
  ['usage.period.end', '`period.end` is the begin of the next month, exclusive.', NOT_BUILT],
  ['usage.prints.used', '`prints.used` counts accepted live jobs.', NOT_BUILT],
  ['usage.prints.limit', '`prints.limit` is null when there is no limit.', NOT_BUILT],
  ['usage.computers.used', '`computers.used` counts the computers.', NOT_BUILT],
  ['usage.computers.limit', '`computers.limit` is null when there is no limit.', NOT_BUILT],
  ['usage.plan', '`plan` is a string.', NOT_BUILT],
  ['usage.testJobsToday.used', '`testJobsToday.used` counts the test jobs of the UTC day.', NOT_BUILT],
  ['usage.testJobsToday.limit', '`testJobsToday.limit` is 500.', NOT_BUILT],
  ['usage.testJobsToday.resetsAt', '`testJobsToday.resetsAt` is the next UTC midnight.', NOT_BUILT],
  ['usage.print.qty', 'A job with `qty` 2 is one print.', NOT_BUILT],
  ['usage.print.pages', 'A job of several pages is one print.', NOT_BUILT],
  ['usage.print.outcome', 'A job that ends in `error` is one print.', NOT_BUILT],
  ['usage.print.refused', 'A creation that is refused is no print.', NOT_BUILT],
  ['usage.test-key', "A test key sees the organization's live usage.", NOT_BUILT],
  ['usage.default-plan', 'The default plan of a self-hosted installation has no limit.', NOT_BUILT],
  ['usage.next-period', 'A new month counts from 0.', NOT_BUILT],
])
