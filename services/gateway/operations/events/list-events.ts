/** See `docs/lists.md`. */
import type { ListEventsResponse } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { EVENT_TYPES, type EventType } from '@platen/resources/event-types.ts'
import { EVENT_WAIT_SECONDS } from '@platen/resources/limits.ts'
import type { RequestContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { anyOf } from '../../request/any-of.ts'
import { queryInteger } from '../../request/integer.ts'
import { PAGE_QUERY } from '../../request/page.ts'
import { EVENT_PAGE } from './event.ts'

/** How long a service may take beyond what it was asked to wait. */
const ANSWER_WITHIN_MS = 5_000

const KINDS = [...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.') + 1)))]

/** What `type` may be: each type, and `printjob.*` for all of a kind. */
const TYPE_FILTERS = [...EVENT_TYPES, ...KINDS.map((kind) => `${kind}*` as const)]

const typesOf = (filter: string): EventType[] =>
  EVENT_TYPES.filter((type) => type === filter || (filter.endsWith('*') && type.startsWith(filter.slice(0, -1))))

/** Used like a cursor: the end of the feed at this moment. */
const NOW = 'now'

/** A request with `wait` or from the end of the feed reads the oldest events first. */
const isForward = ({ wait, after }: { wait?: number | undefined; after?: string | undefined }) =>
  wait !== undefined || after === NOW

const EVENTS_QUERY = PAGE_QUERY.extend({
  dir: PAGE_QUERY.shape.dir.unwrap().optional().meta({ description: PAGE_QUERY.shape.dir.description }),
  type: anyOf(TYPE_FILTERS, typesOf).optional().meta({
    description:
      'Only events of this type; `printjob.*` is all of print jobs. May be given several times, for any of them.',
  }),
  wait: queryInteger(EVENT_WAIT_SECONDS, ', in seconds').optional().meta({
    description:
      'With nothing to show, how many seconds to wait for something before an empty page is the answer. Then `dir` is `asc`, and `desc` is a 400.',
  }),
})
  .refine((query) => query.dir !== 'desc' || !isForward(query), {
    path: ['dir'],
    error: 'must be `asc` with `wait` and with `after=now`, which are for what is still to come',
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
  description: `What happened to the print jobs, computers and printers of the organization and mode of the key, the newest first unless \`dir\` or \`wait\` say otherwise. Events are kept for 30 days.

To follow the feed, ask with \`wait\`, keep \`nextCursor\`, and send it as \`after\` at once when the answer is there: every event comes exactly once, as soon as it is known. The first time ask without \`after\`, which begins with the oldest event, or with \`after=now\`: that is an empty page at once, whose \`nextCursor\` is behind all that was there.`,
  query: EVENTS_QUERY,
  answer: { status: 200, description: 'A page of events.', schema: EVENT_PAGE },
  handle:
    ({ events, stopping }) =>
    async ({ ctx, tenant, query }) => {
      const waitMs = (query.waitSeconds ?? 0) * 1000
      const types = query.filters.type ?? []
      const request = { ...tenant, types, page: query.page, waitMs, fromNow: query.fromNow }
      const found =
        waitMs === 0
          ? await events.listEvents(request)
          : await untilNobodyWaits(ctx, stopping, (signal) =>
              events.listEvents(request, { signal, timeoutMs: waitMs + ANSWER_WITHIN_MS }),
            )
      return { data: found?.events.map((body): unknown => JSON.parse(body)) ?? [], end: found?.end }
    },
})

/** @returns undefined when the client went away before the answer, or this gateway is about to stop: then there is nothing yet. */
async function untilNobodyWaits(
  ctx: RequestContext,
  stopping: AbortSignal,
  ask: (signal: AbortSignal) => Promise<ListEventsResponse>,
): Promise<ListEventsResponse | undefined> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  ctx.res.once('close', leave)
  const over = AbortSignal.any([gone.signal, stopping])
  try {
    return await ask(over)
  } catch (error) {
    if (over.aborted) return undefined
    throw error
  } finally {
    ctx.res.off('close', leave)
  }
}
