import { EVENT } from '@platen/resources/event-schema.ts'
import { operation } from '../../operation/operation.ts'

export const getEvent = operation({
  operationId: 'getEvent',
  method: 'get',
  path: '/v1/events/{id}',
  ids: { id: 'event' },
  scope: 'read',
  tag: 'Events',
  summary: 'Read an event',
  description: 'Returns the event as it was delivered. Its id is the `webhook-id` of its deliveries.',
  answer: { status: 200, description: 'The event.', schema: EVENT },
  handle:
    ({ events }) =>
    async ({ tenant, ids }) => {
      const { event } = await events.getEvent({ ...tenant, eventId: ids.id })
      return JSON.parse(event)
    },
})
