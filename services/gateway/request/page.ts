/** The query parameters of lists. Reference: docs/reference/pagination.md#parameters. */
import type { PageEnd } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { NUMBER, PAGE_SIZE } from '@platen/resources/limits.ts'
import type { Cursors } from '@platen/runtime/paging.ts'
import { z } from 'zod'
import { getSession, getTenant, type RequestContext } from '../context.ts'
import { groupMembers } from './deep-object.ts'
import { queryInteger } from './integer.ts'
import { parseRequest } from './invalid-request.ts'

export const PAGE_QUERY = z.strictObject({
  limit: queryInteger(PAGE_SIZE)
    .default(PAGE_SIZE.default)
    .meta({
      description: 'The maximum number of items of the page.',
      override: { default: PAGE_SIZE.default },
      param: { id: 'limit' },
    }),
  after: z
    .string()
    .optional()
    .meta({
      description: 'The `nextCursor` of an earlier page, whose next items are returned.',
      minLength: 1,
      param: { id: 'after' },
    }),
  dir: z
    .enum(['asc', 'desc'], 'must be `asc` or `desc`')
    .default('desc')
    .meta({
      description: 'The order. `desc` starts with the newest resource, `asc` with the oldest, which suits polling.',
      param: { id: 'dir' },
    }),
})

/** The filter of a list of numbered resources. */
export const number = (description: string) => queryInteger(NUMBER).optional().meta({ description })

/** Several filters may match few of many rows. */
export const hasSeveralFilters = (filters: object): boolean =>
  Object.values(filters).filter((value) => value !== undefined).length > 1

/** The parameters of a list besides those of a page. */
export type Filters<Schema extends z.ZodType> = Omit<
  z.output<Schema>,
  keyof z.output<typeof PAGE_QUERY> | 'wait' | 'fromNow'
>

export interface PageQuery<Filters = object> {
  /** The parameter `after`. */
  cursor: string | undefined
  filters: Filters
  /** The wait of a list with `wait`. It is no filter: it does not select resources. */
  waitSeconds?: number | undefined
  /** The event feed begins at the present end of the list: an empty page with its cursor. */
  fromNow: boolean
  /** For the service that owns the rows. */
  page: { limit: number; after: Uint8Array | undefined; ascending: boolean }
  /** The values that a cursor of this list is bound to. */
  list: readonly unknown[]
}

/**
 * @param schema `PAGE_QUERY`, extended by the list's filters.
 * @throws ApiError `invalid_request` that names the parameter.
 */
export function pageQuery<Schema extends z.ZodType>(
  ctx: RequestContext,
  cursors: Cursors,
  schema: Schema,
): PageQuery<Filters<Schema>> {
  const parsed = parseRequest(schema, groupMembers(ctx.query), 'parameter')
  const { limit, after, dir, wait, fromNow, ...filters } = parsed as z.output<typeof PAGE_QUERY> &
    Filters<Schema> &
    Forward
  const owner = ctx.state.caller ? getTenant(ctx) : { organizationId: getSession(ctx).user.id, mode: '' }
  // The path identifies the list, and the printer of a list of its jobs.
  const list = [owner.organizationId, owner.mode, ctx.path.toLowerCase(), dir, Object.entries(filters).toSorted(byName)]
  return {
    cursor: after,
    filters: filters as unknown as Filters<Schema>,
    waitSeconds: wait,
    fromNow: fromNow ?? false,
    page: { limit, after: after === undefined ? undefined : cursors.open(list, after), ascending: dir === 'asc' },
    list,
  }
}

/** Parameters of a feed that is followed. */
interface Forward {
  wait?: number
  fromNow?: boolean
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

/**
 * @param json of each resource, as text or in UTF-8.
 * @param query of the request. An empty page repeats its cursor, so that a poller can continue.
 */
export function pageToJson(
  json: (string | Uint8Array)[],
  end: PageEnd | undefined,
  { cursor, list }: Pick<PageQuery, 'cursor' | 'list'>,
  cursors: Cursors,
): Buffer {
  const nextCursor = end?.position ? cursors.sign(list, end.position) : (cursor ?? null)
  const parts = json.flatMap((resource, n) => (n === 0 ? [resource] : [',', resource]))
  const tail = `],"hasMore":${end?.hasMore ?? false},"nextCursor":${JSON.stringify(nextCursor)}}`
  return Buffer.concat(
    ['{"data":[', ...parts, tail].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  )
}
