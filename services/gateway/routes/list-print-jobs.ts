/** `GET /v1/printjobs`. Source: decisions, "Jobs"; `docs/lists.md`. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { PAGE_QUERY, pageQuery, pageToJson } from '../request/page.ts'
import { time } from '../request/time.ts'

const JOB_STATES = ['queued', 'sent', 'received', 'printing', 'done', 'error', 'cancelled', 'expired'] as const

const id = () => z.guid('must be a UUID').toLowerCase()

const STATES_RULE = `must be one of ${JOB_STATES.map((state) => `\`${state}\``).join(', ')}`
const STATE = z.enum(JOB_STATES, STATES_RULE)

/** In one order and each once, so that the same filter has the same cursors. */
const states = z
  .union([STATE, z.array(STATE)], STATES_RULE)
  .transform((given) => [...new Set([given].flat())].toSorted())

export const PRINT_JOBS_QUERY = PAGE_QUERY.extend({
  state: states.optional(),
  printerId: id().optional(),
  computerId: id().optional(),
  source: shortText(255).optional(),
  /** Inclusive, and `createdBefore` is not, so that ranges can follow each other. */
  createdAfter: time('must be given once').optional(),
  createdBefore: time('must be given once').optional(),
})

export function listPrintJobs({ jobs, cursors }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx, cursors, PRINT_JOBS_QUERY)
    const { state = [], createdAfter, createdBefore, ...filters } = query.filters
    const { jobs: found, end } = await jobs.listJobs({
      ...tenantOf(ctx),
      ...filters,
      states: state,
      createdFrom: createdAfter && timestampFromDate(createdAfter),
      createdBefore: createdBefore && timestampFromDate(createdBefore),
      page: query.page,
    })
    ctx.body = pageToJson(found.map(printJobToJson), end, query, cursors)
  }
}
