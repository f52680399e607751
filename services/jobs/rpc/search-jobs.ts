import type { SearchJobsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'
import { jobToProto } from '../jobs-to-proto.ts'
import { searchJobs as search } from '../lists/search-jobs.ts'

/** The jobs of one organization and mode. */
export async function searchJobs(jobs: Jobs, request: SearchJobsRequest) {
  return { jobs: (await search(jobs, request)).map(jobToProto) }
}
