import { create } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  type ListEventsRequest,
  type ListEventsResponse,
  ListEventsResponseSchema,
} from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { getTime } from '@platen/runtime/database/partitions.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { endPage, type ListPosition, packPosition, queryLimit, unpackPosition } from '@platen/runtime/paging.ts'
import { createIdleWait } from '@platen/runtime/timers.ts'
import type { FeedWakes } from '../events/feed-wakes.ts'
import { DAY_MS, type FoundEvents, mayHaveLost, readEnd, readEvents } from '../events/read-events.ts'
import type { Webhooks } from '../webhooks.ts'

/** While an older open transaction hides a committed event. Most transactions end within the first interval. */
const POLL_MS = { first: 5, longest: 250 }

const NO_EVENTS: FoundEvents = { events: [], moreSoon: false }

const expired = () =>
  new ApiError(
    'cursor_expired',
    'Events after this cursor are no longer stored. Begin again: get a cursor with `after=now`, then read the present state of your print jobs and printers, then follow the feed from the cursor.',
  )

/**
 * Returns a page. With `fromNow`, the page is empty and its end is the current end of the feed. With `waitMs`, a call
 * without events waits for the first one. Between its polls, a waiting call holds no connection. The end of an empty
 * page that a follower gets a day after its last event is the present end, so that only the cursor of a follower that
 * was away can become older than the retention time.
 *
 * @throws ApiError `cursor_expired`: a follower may have missed events.
 * @param signal ends the wait with an empty page. Aborted if the caller has disconnected or the process stops.
 */
export async function listEvents(
  webhooks: Webhooks,
  feedWakes: FeedWakes,
  request: ListEventsRequest,
  signal: AbortSignal,
): Promise<ListEventsResponse> {
  const { organizationId, mode, types, resourceIds, occurredBefore, page, waitMs, fromNow } = request
  if (fromNow)
    return create(ListEventsResponseSchema, {
      end: { position: packPosition(await readEnd(webhooks.pool, webhooks.clock.now())) },
    })
  const { pool, clock, eventRetentionMs } = webhooks
  const toQuery = () => ({
    organizationId,
    mode,
    types,
    resourceIds,
    occurredBefore: occurredBefore && timestampDate(occurredBefore),
    retainedSince: new Date(clock.now().getTime() - eventRetentionMs),
    after: page?.after && unpackPosition(page.after),
    ascending: page?.ascending ?? false,
    rows: queryLimit(page),
  })
  const poll = () => readEvents(pool, toQuery())
  const { after, ...query } = toQuery()
  if (after && query.ascending && (await mayHaveLost(pool, { ...query, after }))) throw expired()
  // Read before the page, which has all events before it.
  const renewed = after && query.ascending && isOld(after, clock.now()) ? await readEnd(pool, clock.now()) : undefined
  const found = waitMs > 0 ? await pollUntilFound(feedWakes, request, poll, signal) : await poll()
  const { rows, end } = endPage(page, found.events, { getBytes: ({ body }) => body.length })
  if (rows.length === 0 && renewed) end.position = packPosition(renewed)
  return create(ListEventsResponseSchema, { events: rows.map(({ body }) => body), end })
}

/** The end of the feed of an earlier release has the highest id. */
const isOld = ({ id }: ListPosition, now: Date) => Math.abs(now.getTime() - getTime(id).getTime()) > DAY_MS

async function pollUntilFound(
  feedWakes: FeedWakes,
  { organizationId, mode, types, waitMs }: ListEventsRequest,
  poll: () => Promise<FoundEvents>,
  signal: AbortSignal,
): Promise<FoundEvents> {
  const { wake, beforePoll, idle } = createIdleWait(signal)
  const unsubscribe = feedWakes.subscribe({ organizationId, mode, types }, wake)
  const deadline = performance.now() + waitMs
  try {
    for (let pollMs = POLL_MS.first; !signal.aborted; ) {
      beforePoll()
      const found = await poll()
      const remainingMs = deadline - performance.now()
      if (found.events.length > 0 || remainingMs <= 0) return found
      await idle(found.moreSoon ? Math.min(pollMs, remainingMs) : remainingMs)
      pollMs = found.moreSoon ? Math.min(pollMs * 2, POLL_MS.longest) : POLL_MS.first
    }
    return NO_EVENTS
  } finally {
    unsubscribe()
  }
}
