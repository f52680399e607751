import type { ListNumberedJobsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { JobState } from '@platen/resources/job-states.ts'
import { afterNumber, inRanges, numberedOptions } from '@platen/runtime/database/numbered.ts'
import { JobEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { jobToProto } from '../jobs-to-proto.ts'

/** Scans the index `job_by_number`, or `job_of_print_access`. */
export async function listNumberedJobs({ orm }: Pick<Jobs, 'orm'>, request: ListNumberedJobsRequest) {
  const { organizationId, mode, numbers, printerIds, states, createdBy, destinationId } = request
  const where = {
    organizationId,
    mode,
    number: { $ne: null },
    ...inRanges(numbers),
    ...(printerIds.length > 0 ? { printerId: { $in: printerIds } } : {}),
    ...(states.length > 0 ? { state: { $in: states as JobState[] } } : {}),
    ...(createdBy !== undefined && { createdBy, interface: 'ipp' }),
    ...(destinationId !== undefined && { destinationId: destinationId || null }),
    ...afterNumber(request),
  }
  const jobs = await orm.em.fork().find(JobEntity, where, numberedOptions(request))
  return { jobs: jobs.map(jobToProto) }
}
