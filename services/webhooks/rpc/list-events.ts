import { create } from '@bufbuild/protobuf'
import {
  type ListEventsRequest,
  type ListEventsResponse,
  ListEventsResponseSchema,
} from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { endPage, packPlace, rowsAsked, unpackPlace } from '@platen/runtime/paging.ts'
import { createRest } from '@platen/runtime/timers.ts'
import type { FeedWakes } from '../events/feed-wakes.ts'
import { type EventsFound, readEnd, readEvents } from '../events/read-events.ts'
import type { Webhooks } from '../webhooks.ts'

/** Until an event that is committed may be shown: most transactions are over in less, one that hangs in 10 s. */
const SETTLES_AFTER_MS = 5
const LOOK_AGAIN_MAX_MS = 250

const NOTHING: EventsFound = { events: [], moreSoon: false }

/**
 * A page, at once; with `fromNow` an empty one, whose end is that of the feed at this moment; with `waitMs`, and while there is nothing to
 * show, as soon as there is something. Between its looks a call that waits holds nothing but memory.
 *
 * @param signal ends the wait with an empty page: the caller is gone, or this process stops.
 */
export async function listEvents(
  webhooks: Webhooks,
  feedWakes: FeedWakes,
  request: ListEventsRequest,
  signal: AbortSignal,
): Promise<ListEventsResponse> {
  const { organizationId, mode, types, page, waitMs, fromNow } = request
  if (fromNow) return create(ListEventsResponseSchema, { end: { place: packPlace(await readEnd(webhooks.pool)) } })
  const look = () =>
    readEvents(webhooks.pool, {
      organizationId,
      mode,
      types,
      keptSince: new Date(webhooks.clock.now().getTime() - webhooks.eventRetentionMs),
      after: page?.after && unpackPlace(page.after),
      ascending: page?.ascending ?? false,
      rows: rowsAsked(page),
    })
  const found = waitMs > 0 ? await lookUntilFound(feedWakes, request, look, signal) : await look()
  const { rows, end } = endPage(page, found.events)
  return create(ListEventsResponseSchema, { events: rows.map(({ body }) => body), end })
}

async function lookUntilFound(
  feedWakes: FeedWakes,
  { organizationId, mode, types, waitMs }: ListEventsRequest,
  look: () => Promise<EventsFound>,
  signal: AbortSignal,
): Promise<EventsFound> {
  const { wake, beforeLook, rest } = createRest(signal)
  const stopListening = feedWakes.listen({ organizationId, mode, types }, wake)
  const until = performance.now() + waitMs
  try {
    for (let againMs = SETTLES_AFTER_MS; !signal.aborted; ) {
      beforeLook()
      const found = await look()
      const leftMs = until - performance.now()
      if (found.events.length > 0 || leftMs <= 0) return found
      await rest(found.moreSoon ? Math.min(againMs, leftMs) : leftMs)
      againMs = found.moreSoon ? Math.min(againMs * 2, LOOK_AGAIN_MAX_MS) : SETTLES_AFTER_MS
    }
    return NOTHING
  } finally {
    stopListening()
  }
}
