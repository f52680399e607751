import type { Job as ListedJob, ListNumberedJobsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { type JobState, UNFINISHED_STATES } from '@platen/resources/job-states.ts'
import { NUMBER } from '@platen/resources/limits.ts'
import { afterNumber, inRanges, numberedOptions } from '@platen/runtime/database/numbered.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { type Job, JobEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { jobToProto } from '../jobs-to-proto.ts'
import { getColumns } from '../lists/list-jobs.ts'

/**
 * The jobs of a print access. Prepared, because its computer asks several times a second while it prints. Scans the
 * index `job_of_print_access`, or for unfinished jobs `job_unfinished`.
 */
const ownSql = (columns: string, { isUnfinished, order }: { isUnfinished: boolean; order: 'ASC' | 'DESC' }) => ({
  name: `${isUnfinished ? 'unfinished ' : ''}jobs of a print access ${order}`,
  text: `
SELECT ${columns} FROM jobs.job
WHERE created_by = $1 AND interface = 'ipp' AND organization_id = $2 AND mode = $3 AND number BETWEEN $4 AND $5
  AND (cardinality($6::uuid[]) = 0 OR printer_id = ANY($6))
  AND (cardinality($7::text[]) = 0 OR state = ANY($7))
  AND ($8::text IS NULL OR destination_id IS NOT DISTINCT FROM NULLIF($8, '')::uuid)
  ${isUnfinished ? 'AND final_state IS NULL' : ''}
ORDER BY number ${order} LIMIT $9`,
})

const isOnlyUnfinished = (states: string[]) =>
  states.length > 0 && states.every((state) => UNFINISHED_STATES.some((one) => one === state))

/** @returns the call. */
export function createNumberedList({ orm, pool }: Pick<Jobs, 'orm' | 'pool'>) {
  const columns = getColumns(orm)

  async function readOwn(request: ListNumberedJobsRequest): Promise<Job[]> {
    const { organizationId, mode, createdBy, numbers, printerIds, states, destinationId, after, ascending } = request
    const [{ from, to } = { from: 1, to: NUMBER.max }, ...more] = numbers
    if (more.length > 0)
      throw new ApiError('invalid_request', 'The jobs of a print access have at most one range of numbers.')
    const first = after !== undefined && ascending ? Math.max(from, after + 1) : from
    const last = after !== undefined && !ascending ? Math.min(to, after - 1) : to
    const { limit } = numberedOptions(request)
    const { rows } = await pool.query<Job>({
      ...ownSql(columns, { isUnfinished: isOnlyUnfinished(states), order: ascending ? 'ASC' : 'DESC' }),
      values: [createdBy, organizationId, mode, first, last, printerIds, states, destinationId, limit],
    })
    return rows
  }

  /** Scans the index `job_by_number`. */
  async function readAll(request: ListNumberedJobsRequest): Promise<Job[]> {
    const { organizationId, mode, numbers, printerIds, states, destinationId } = request
    const where = {
      organizationId,
      mode,
      number: { $ne: null },
      ...inRanges(numbers),
      ...(printerIds.length > 0 ? { printerId: { $in: printerIds } } : {}),
      ...(states.length > 0 ? { state: { $in: states as JobState[] } } : {}),
      ...(destinationId !== undefined && { destinationId: destinationId || null }),
      ...afterNumber(request),
    }
    return await orm.em.fork().find(JobEntity, where, numberedOptions(request))
  }

  return async (request: ListNumberedJobsRequest): Promise<{ jobs: ListedJob[] }> => {
    const found = await (request.createdBy === undefined ? readAll(request) : readOwn(request))
    return { jobs: found.map(jobToProto) }
  }
}
