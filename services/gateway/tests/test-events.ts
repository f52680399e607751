/** What stands for the webhooks service's events behind a gateway under test. */
import { once } from 'node:events'
import type { ServiceImpl } from '@connectrpc/connect'
import type { EventsService, ListEventsRequest } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { packPlace } from '@platen/runtime/paging.ts'

/** The one event that there is. */
export const EVENT = exampleEvent(EVENT_TYPES[4], 'test')

export const eventsState = () => ({
  listed: [] as ListEventsRequest[],
  /** A call with `waitMs` is held until it is called off. */
  held: false,
  calledOff: 0,
  /** How long the last call of a list may take. */
  timeoutMs: undefined as number | undefined,
})

export function testEvents(state: ReturnType<typeof eventsState>): Partial<ServiceImpl<typeof EventsService>> {
  return {
    async listEvents(request, { signal, timeoutMs }) {
      state.listed.push(request)
      state.timeoutMs = timeoutMs()
      if (state.held && request.waitMs > 0) {
        if (!signal.aborted) await once(signal, 'abort')
        state.calledOff++
        return {}
      }
      if (request.fromNow) return { end: { place: packPlace({ place: 7n, id: EVENT.id }) } }
      if (request.page?.after) return {}
      return { events: [JSON.stringify(EVENT)], end: { hasMore: false, place: packPlace({ place: 7n, id: EVENT.id }) } }
    },
    getEvent({ eventId }) {
      if (eventId !== EVENT.id) throw new ApiError('not_found', 'There is no event with this id.')
      return { event: JSON.stringify(EVENT) }
    },
  }
}
