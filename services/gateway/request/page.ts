/** Lists in pages. Source: specification, "Pagination", and decisions, "Conventions everywhere". */
import { decodeCursor, encodeCursor, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '@platen/runtime/paging.ts'
import { z } from 'zod'
import type { RequestContext } from '../context.ts'
import { invalidRequest } from './invalid-request.ts'

const LIMIT_RULE = `must be an integer from 1 to ${PAGE_LIMIT_MAX}`

export const PAGE_QUERY = z.strictObject({
  limit: z
    .string(LIMIT_RULE)
    .regex(/^\d{1,9}$/, { error: LIMIT_RULE, abort: true })
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= PAGE_LIMIT_MAX, LIMIT_RULE)
    .default(PAGE_LIMIT_DEFAULT),
  after: z.string('must be given once').optional(),
  dir: z.enum(['asc', 'desc'], 'must be `asc` or `desc`').default('desc'),
})

export interface PageQuery {
  /** As the caller sent it. */
  cursor: string | undefined
  /** For the service that has the rows. */
  page: { limit: number; after: string | undefined; ascending: boolean }
}

/** @throws ApiError `invalid_request` that names the parameter. */
export function pageQuery(ctx: RequestContext): PageQuery {
  const parsed = PAGE_QUERY.safeParse(ctx.query)
  if (!parsed.success) throw invalidRequest(parsed.error)
  const { limit, after, dir } = parsed.data
  return {
    cursor: after,
    page: { limit, after: after === undefined ? undefined : decodeCursor(after), ascending: dir === 'asc' },
  }
}

/** @param query that asked for the page: an empty page has the cursor of the one before, so that a poller can go on. */
export function pageToJson<Resource extends { id: string }>(data: Resource[], hasMore: boolean, query: PageQuery) {
  const last = data.at(-1)
  return { data, hasMore, nextCursor: last ? encodeCursor(last.id) : (query.cursor ?? null) }
}
