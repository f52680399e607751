/** See `docs/lists.md`. */
import type { ListEventsResponse } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { EVENT_PAGE } from '@platen/resources/event-schema.ts'
import { EVENT_TYPES, type EventType } from '@platen/resources/event-types.ts'
import { EVENT_WAIT_SECONDS, POLLS_AT_ONCE } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { LIST, operation } from '../../operation/operation.ts'
import { createConcurrencyLimit } from '../../rate-limit/concurrency-limit.ts'
import { anyOf } from '../../request/any-of.ts'
import { queryInteger } from '../../request/integer.ts'
import { PAGE_QUERY } from '../../request/page.ts'

/** Added to the requested wait. */
const TIMEOUT_MS = 5_000

const KINDS = [...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.') + 1)))]

/** The values of `type`: each type, and `printjob.*` for all types of a kind. */
const TYPE_FILTERS = [...EVENT_TYPES, ...KINDS.map((kind) => `${kind}*` as const)]

const expandFilter = (filter: string): EventType[] =>
  EVENT_TYPES.filter((type) => type === filter || (filter.endsWith('*') && type.startsWith(filter.slice(0, -1))))

/** Used like a cursor: the end of the feed at this moment. */
const NOW = 'now'

/** A request with `wait` or from the end of the feed reads the oldest events first. */
const isForward = ({ wait, after }: { wait?: number | undefined; after?: string | undefined }) =>
  wait !== undefined || after === NOW

const EVENTS_QUERY = PAGE_QUERY.extend({
  dir: PAGE_QUERY.shape.dir.unwrap().optional().meta({ description: PAGE_QUERY.shape.dir.description }),
  type: anyOf(z.enum(TYPE_FILTERS), expandFilter).optional().meta({
    description:
      'Only events of this type. `printjob.*` selects all types of print jobs. Can be repeated to select several types.',
  }),
  resourceId: z.guid('must be a UUID').toLowerCase().optional().meta({
    description: 'Only events of this print job, computer or printer.',
  }),
  wait: queryInteger(EVENT_WAIT_SECONDS, ', in seconds').optional().meta({
    description:
      'The number of seconds to wait for an event before the response is an empty page. Implies `dir=asc`; `dir=desc` is a 400.',
  }),
})
  .refine((query) => query.dir !== 'desc' || !isForward(query), {
    path: ['dir'],
    error: 'must be `asc` with `wait` or `after=now`, which return future events',
  })
  .transform(({ dir, after, ...query }) => ({
    ...query,
    dir: dir ?? (isForward({ ...query, after }) ? ('asc' as const) : ('desc' as const)),
    after: after === NOW ? undefined : after,
    fromNow: after === NOW,
  }))

export const listEvents = operation({
  operationId: 'listEvents',
  method: 'get',
  path: '/v1/events',
  scope: 'read',
  tag: 'Events',
  summary: 'List events',
  description: `Lists the events of the print jobs, computers and printers of the organization and mode of the key, the newest first by default. Events are stored for 30 days.

To follow the feed, send \`wait\`, store \`nextCursor\`, and send it as \`after\` immediately after each response. Every event is returned exactly once and without delay. Send the first request without \`after\` to start with the oldest event, or with \`after=now\` to skip the existing events: its response is an immediate empty page whose \`nextCursor\` follows them.`,
  query: EVENTS_QUERY,
  // A request that waits has a limit of its own.
  units: ({ waitSeconds }) => (waitSeconds ? 0 : LIST),
  answer: { status: 200, description: 'A page of events.', schema: EVENT_PAGE },
  errors: ['cursor_expired'],
  handle: ({ events, stopping }) => {
    const limitPolls = createConcurrencyLimit('waiting requests', POLLS_AT_ONCE)
    return async ({ ctx, tenant, query }) => {
      const waitMs = (query.waitSeconds ?? 0) * 1000
      const types = query.filters.type ?? []
      const { resourceId } = query.filters
      const resourceIds = resourceId === undefined ? [] : [resourceId]
      const request = { ...tenant, types, resourceIds, page: query.page, waitMs, fromNow: query.fromNow }
      const found =
        waitMs === 0
          ? await events.listEvents(request)
          : await limitPolls(ctx, () =>
              withClient(ctx, stopping, (signal) =>
                events
                  .listEvents(request, { signal, timeoutMs: waitMs + TIMEOUT_MS })
                  .catch((error: unknown) => readAfterCut(error, () => events.listEvents({ ...request, waitMs: 0 }))),
              ),
            )
      // The credential can have ended during the wait.
      if (waitMs > 0) await ctx.state.authenticateAgain?.()
      return { json: found?.events ?? [], end: found?.end }
    }
  },
})

/** The replica that waited has ended. Another one has the events of now, and the client sends its next request. */
async function readAfterCut(error: unknown, read: () => Promise<ListEventsResponse>): Promise<ListEventsResponse> {
  if (error instanceof ApiError && error.code === 'service_unavailable') return await read()
  throw error
}

/**
 * Cancels a call when the client closes the connection or this gateway stops.
 *
 * @returns undefined for a cancelled call.
 */
async function withClient(
  ctx: RequestContext,
  stopping: AbortSignal,
  call: (signal: AbortSignal) => Promise<ListEventsResponse>,
): Promise<ListEventsResponse | undefined> {
  const closed = new AbortController()
  const onClose = () => closed.abort()
  ctx.res.once('close', onClose)
  const signal = AbortSignal.any([closed.signal, stopping])
  try {
    return await call(signal)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    ctx.res.off('close', onClose)
  }
}
