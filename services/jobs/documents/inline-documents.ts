/** Small documents are stored in `jobs.document`, partitioned by day. Each job has its own copy, including reprints. */
import type { PartitionedTable } from '@platen/runtime/database/partitions.ts'
import { DocumentEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { NEEDS_DOCUMENT } from '../states.ts'

/**
 * @param keptMs retention. A document that its agent does not have yet is kept longer, at most until its job expires.
 */
export const documentPartitions = (keptMs: number): PartitionedTable => ({
  name: 'document',
  key: 'job_id',
  keptMs,
  stillNeeded: (until) =>
    `EXISTS (SELECT FROM jobs.job WHERE ${NEEDS_DOCUMENT} AND has_inline_document AND id < ${until})`,
})

/** @returns undefined after the retention. */
export async function readInlineDocument({ orm }: Pick<Jobs, 'orm'>, jobId: string): Promise<Buffer | undefined> {
  return (await orm.em.fork().findOne(DocumentEntity, jobId))?.content
}
