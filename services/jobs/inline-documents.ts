/** Small documents lie in `jobs.document`, beside their jobs, and are dropped by the day. Each job has its own, also a reprint. */
import type { DailyTable } from '@platen/runtime/database/days.ts'

/** @param keptMs how long a document is kept; longer while a job that may still be printed has it. */
export const documentDays = (keptMs: number): DailyTable => ({
  name: 'document',
  key: 'job_id',
  keptMs,
  stillNeeded: (until) =>
    `EXISTS (SELECT FROM jobs.job WHERE final_state IS NULL AND has_inline_document AND id < ${until})`,
})
