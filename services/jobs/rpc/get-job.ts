import { create } from '@bufbuild/protobuf'
import {
  type GetJobRequest,
  type GetJobResponse,
  GetJobResponseSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { JobEntity } from '../entities.ts'
import { jobToProto } from '../job-to-proto.ts'
import type { Jobs } from '../jobs.ts'

/** @throws ApiError `not_found` also for a job of another organization or mode. */
export async function getJob(jobs: Jobs, request: GetJobRequest): Promise<GetJobResponse> {
  const { organizationId, mode, jobId } = request
  const job = await jobs.orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })
  if (!job) throw new ApiError('not_found', 'There is no print job with this id.')
  return create(GetJobResponseSchema, { job: jobToProto(job) })
}
