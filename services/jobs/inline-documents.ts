/** Small documents lie in `jobs.document`, beside their jobs, and are dropped by the day. Each job has its own, also a reprint. */
import type { DailyTable } from '@platen/runtime/database/days.ts'
import type { Jobs } from './jobs.ts'

/** @param keptMs how long a document is kept; longer while a job that may still be printed has it. */
export const documentDays = (keptMs: number): DailyTable => ({
  name: 'document',
  key: 'job_id',
  keptMs,
  stillNeeded: (until) =>
    `EXISTS (SELECT FROM jobs.job WHERE final_state IS NULL AND has_inline_document AND id < ${until})`,
})

/** @returns undefined when it is not kept any more. */
export async function readInlineDocument({ pool }: Pick<Jobs, 'pool'>, jobId: string): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ content: Buffer }>('SELECT content FROM jobs.document WHERE job_id = $1', [jobId])
  return rows[0]?.content
}
