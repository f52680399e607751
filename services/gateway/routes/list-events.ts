/** `GET /v1/events`. Source: decisions, "Webhooks and events"; `docs/lists.md`. */

import type { ListEventsResponse } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { EVENT_TYPES, type EventType } from '@platen/resources/event-types.ts'
import { z } from 'zod'
import { type RequestContext, type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { PAGE_QUERY, pageQuery, pageToJson } from '../request/page.ts'

export const WAIT_MAX_SECONDS = 30
/** How long a service may take beyond what it was asked to wait. */
const ANSWER_WITHIN_MS = 5_000

const KINDS = [...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.') + 1)))]

/** What `type` may be: each type, and `printjob.*` for all of a kind. */
export const TYPE_FILTERS = [...EVENT_TYPES, ...KINDS.map((kind) => `${kind}*` as const)]

const TYPES_RULE = `must be one of ${TYPE_FILTERS.map((type) => `\`${type}\``).join(', ')}`
const TYPE = z.enum(TYPE_FILTERS, TYPES_RULE)

const typesOf = (filter: string): EventType[] =>
  EVENT_TYPES.filter((type) => type === filter || (filter.endsWith('*') && type.startsWith(filter.slice(0, -1))))

/** In one order and each once, so that the same filter has the same cursors, however it is spelled. */
const types = z
  .union([TYPE, z.array(TYPE)], TYPES_RULE)
  .transform((given) => [...new Set([given].flat().flatMap(typesOf))].toSorted())

const WAIT_RULE = `must be an integer from 1 to ${WAIT_MAX_SECONDS}, in seconds`
const wait = z
  .string(WAIT_RULE)
  .regex(/^\d{1,9}$/, { error: WAIT_RULE, abort: true })
  .transform(Number)
  .refine((seconds) => seconds >= 1 && seconds <= WAIT_MAX_SECONDS, WAIT_RULE)

/** Who waits follows the feed, which begins with the oldest. */
export const EVENTS_QUERY = PAGE_QUERY.extend({
  dir: PAGE_QUERY.shape.dir.unwrap().optional(),
  type: types.optional(),
  wait: wait.optional(),
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

/** In a cursor's place: the end of the feed at this moment. */
const NOW = 'now'
const isForward = ({ wait, after }: { wait?: number | undefined; after?: string | undefined }) =>
  wait !== undefined || after === NOW

export function listEvents({ events, cursors, stopping }: Gateway): RouteStep {
  return async (ctx) => {
    const query = pageQuery(ctx, cursors, EVENTS_QUERY)
    const { type = [] } = query.filters
    const waitMs = (query.waitSeconds ?? 0) * 1000
    const request = { ...tenantOf(ctx), types: type, page: query.page, waitMs, fromNow: query.fromNow }
    const found =
      waitMs === 0
        ? await events.listEvents(request)
        : await untilNobodyWaits(ctx, stopping, (signal) =>
            events.listEvents(request, { signal, timeoutMs: waitMs + ANSWER_WITHIN_MS }),
          )
    const shown = found?.events.map((body): unknown => JSON.parse(body)) ?? []
    ctx.body = pageToJson(shown, found?.end, query, cursors)
  }
}

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
