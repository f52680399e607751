/** Source: decisions, "Webhooks and events". */
import type { Descriptions } from '../description.ts'
import { PAGE } from '../parameters.ts'

export const EVENT_OPERATIONS: Descriptions = {
  listEvents: {
    tag: 'Events',
    summary: 'List events',
    description: `What happened to the print jobs, computers and printers of the organization and mode of the key, the newest first unless \`dir\` or \`wait\` say otherwise. Events are kept for 30 days.

To follow the feed, ask with \`wait\`, keep \`nextCursor\`, and send it as \`after\` at once when the answer is there: every event comes exactly once, as soon as it is known. The first time ask without \`after\`, which begins with the oldest event, or with \`after=now\`: that is an empty page at once, whose \`nextCursor\` is behind all that was there.`,
    query: [...PAGE, 'type', 'wait'],
    success: { status: 200, description: 'A page of events.', schema: 'EventPage' },
  },
  getEvent: {
    tag: 'Events',
    summary: 'Read an event',
    description: 'The event as it was delivered. Its id is the `webhook-id` of its deliveries.',
    success: { status: 200, description: 'The event.', schema: 'Event' },
  },
  listEventTypes: {
    tag: 'Events',
    summary: 'List the types of events',
    description:
      'Every type that there is, when it happens, its JSON Schema and an example. The list has no pages, and is the same for all keys.',
    success: { status: 200, description: 'All types of events.', schema: 'EventTypeList' },
  },
}
