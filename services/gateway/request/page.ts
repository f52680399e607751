/** The query parameters of lists. Reference: docs/reference/pagination.md#parameters. */
import type { PageEnd } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { type Cursors, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '@platen/runtime/paging.ts'
import { z } from 'zod'
import { type RequestContext, tenantOf } from '../context.ts'
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

export interface PageQuery<Filters = object> {
  /** As the caller sent it. */
  cursor: string | undefined
  filters: Filters
  /** Of a list with `wait`, which says how a page is asked for, and not which. */
  waitSeconds?: number | undefined
  /** Of the event feed: an empty page, whose cursor is the end of the list at this moment. */
  fromNow: boolean
  /** For the service that has the rows. */
  page: { limit: number; after: Uint8Array | undefined; ascending: boolean }
  /** What the cursors of this list are good for. */
  list: readonly unknown[]
}

/**
 * @param schema `PAGE_QUERY`, extended by the list's filters.
 * @throws ApiError `invalid_request` that names the parameter.
 */
export function pageQuery<Schema extends z.ZodType<z.infer<typeof PAGE_QUERY>> = typeof PAGE_QUERY>(
  ctx: RequestContext,
  cursors: Cursors,
  schema: Schema = PAGE_QUERY as unknown as Schema,
): PageQuery<Omit<z.infer<Schema>, keyof z.infer<typeof PAGE_QUERY> | 'wait' | 'fromNow'>> {
  const parsed = schema.safeParse(ctx.query)
  if (!parsed.success) throw invalidRequest(parsed.error)
  const { limit, after, dir, wait, fromNow, ...filters } = parsed.data as z.infer<Schema> & Forward
  const { organizationId, mode } = tenantOf(ctx)
  // The path names the list, and the printer whose jobs it has.
  const list = [organizationId, mode, ctx.path.toLowerCase(), dir, Object.entries(filters).toSorted(byName)]
  return {
    cursor: after,
    filters,
    waitSeconds: wait,
    fromNow: fromNow ?? false,
    page: { limit, after: after === undefined ? undefined : cursors.open(list, after), ascending: dir === 'asc' },
    list,
  }
}

/** How a feed is followed. */
interface Forward {
  wait?: number
  fromNow?: boolean
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

/** @param query that asked for the page: an empty page has the cursor of the one before, so that a poller can go on. */
export function pageToJson<Resource>(
  data: Resource[],
  end: PageEnd | undefined,
  { cursor, list }: Pick<PageQuery, 'cursor' | 'list'>,
  cursors: Cursors,
) {
  const nextCursor = end?.place ? cursors.sign(list, end.place) : (cursor ?? null)
  return { data, hasMore: end?.hasMore ?? false, nextCursor }
}
