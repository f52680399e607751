/** The body of `POST /v1/printjobs/batches`. Reference: docs/reference/print-jobs.md#batches. */
import { BATCH_LIMITS } from '@platen/resources/limits.ts'
import { z } from 'zod'
import { parseRequest } from '../../request/invalid-request.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { PRINT_JOB, type PrintJobRequest, toPrintJobRequest } from './print-job-request.ts'

export const TOO_MANY_JOBS = `must have at most ${BATCH_LIMITS.jobsMax} jobs`
const SAME = 'must be the same for all jobs of a batch, because they are printed without other jobs between them'

export const BATCH = jsonBody({
  jobs: z
    .array(PRINT_JOB, 'must be an array')
    .min(1, 'must have at least one job')
    .max(BATCH_LIMITS.jobsMax, TOO_MANY_JOBS)
    .superRefine((jobs, context) => {
      for (const name of ['hold', 'notBefore'] as const) {
        const n = jobs.findIndex((job) => job[name]?.valueOf() !== jobs[0]?.[name]?.valueOf())
        if (n > 0) context.addIssue({ code: 'custom', path: [n, name], message: SAME })
      }
    })
    .meta({
      description: `The jobs, in the order in which they are printed: 1 to ${BATCH_LIMITS.jobsMax}, each with the fields of \`POST /v1/printjobs\`. Their documents have at most 25 MB together.`,
    }),
}).meta({ id: 'PrintJobBatchRequest', description: 'Jobs that are created together.' })

/** @throws ApiError `invalid_request` that names the fields and their rules: `jobs[3].title`. */
export const parseBatch = (body: unknown): PrintJobRequest[] =>
  parseRequest(BATCH, body, 'field').jobs.map(toPrintJobRequest)
