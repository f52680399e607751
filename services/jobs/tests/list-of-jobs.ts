import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { ListJobsRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'
import { listJobs } from '../rpc/list-jobs.ts'

export type ListFacts = Omit<MessageInitShape<typeof ListJobsRequestSchema>, '$typeName' | '$unknown'>

/** The lists of one organization and mode. */
export const listOf =
  (jobs: Jobs, tenant: { organizationId: string; mode: string }) =>
  async (facts: ListFacts = {}) => {
    const { jobs: found, end } = await listJobs(jobs, create(ListJobsRequestSchema, { ...tenant, ...facts }))
    return { ids: found.map(({ id }) => id), after: end?.place, hasMore: end?.hasMore, jobs: found }
  }
