import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { ListJobsRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { endPage, queryLimit, unpackPosition } from '@platen/runtime/paging.ts'
import type { Jobs } from '../jobs.ts'
import { jobToProto } from '../jobs-to-proto.ts'
import { type ListedJob, readJobs } from '../lists/list-jobs.ts'

/** An option can have any text. */
const getBytes = ({ options, title }: ListedJob) => JSON.stringify(options).length + title.length

/** The jobs of one organization and mode. A job must match all filters. */
export async function listJobs(jobs: Jobs, request: ListJobsRequest) {
  const { page, createdFrom, createdBefore, ...filters } = request
  const times = {
    createdFrom: createdFrom && timestampDate(createdFrom),
    createdBefore: createdBefore && timestampDate(createdBefore),
  }
  const found = await readJobs(
    jobs,
    { ...filters, ...times },
    {
      after: page?.after && unpackPosition(page.after),
      ascending: page?.ascending ?? false,
      rows: queryLimit(page),
    },
  )
  const { rows, end } = endPage(page, found.rows, { ...found, getBytes })
  return { jobs: rows.map(jobToProto), end }
}
