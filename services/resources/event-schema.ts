/**
 * The events of the feed and of webhook deliveries, a schema for each type. Reference:
 * docs/reference/events.md#payload.
 */
import { z } from 'zod'
import { COMPUTER } from './computer-schema.ts'
import { exampleEvent } from './event-examples.ts'
import { EVENT_TYPES, type EventType } from './event-types.ts'
import { EXAMPLE_IDS } from './example-of.ts'
import { described, id, mode, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'
import { JOB } from './print-job-schema.ts'
import { PRINTER } from './printer-schema.ts'

/** A printer as events show it. */
export const EVENT_PRINTER = PRINTER.omit({ capabilities: true }).meta({
  id: 'EventPrinter',
  description: 'A printer right after an event, without its capabilities. `GET /v1/printers/{id}` returns them.',
})

/** What an event of each kind has in `data`, by what its type begins with. */
const KINDS = {
  printjob: { name: 'PrintJob', data: described(JOB, 'The print job right after the event.') },
  computer: { name: 'Computer', data: described(COMPUTER, 'The computer right after the event.') },
  printer: {
    name: 'Printer',
    data: described(EVENT_PRINTER, 'The printer right after the event, without its capabilities.'),
  },
}

const getKind = (type: EventType) => KINDS[type.slice(0, type.indexOf('.')) as keyof typeof KINDS]

/** `PrintJobDoneEvent`. */
export function eventSchemaName(type: EventType): string {
  const what = type.slice(type.indexOf('.') + 1)
  return `${getKind(type).name}${what.charAt(0).toUpperCase()}${what.slice(1)}Event`
}

/** When each event is emitted, for people. Reference: docs/reference/events.md#types. */
export const EVENT_MEANINGS: Record<EventType, string> = {
  'printjob.queued': 'A print job was accepted, or is waiting again because its agent did not take it.',
  'printjob.sent': 'A print job is on its way to its agent.',
  'printjob.received': 'The agent has a print job and its document.',
  'printjob.printing': 'The spooler has taken a print job.',
  'printjob.done': 'The spooler has finished a print job.',
  'printjob.error': 'A print job has failed: `stateMessage` and `stateReasons` contain the cause.',
  'printjob.cancelled': 'A print job was cancelled before its agent had it.',
  'printjob.expired': 'A print job was not received by its agent in time.',
  'computer.online': 'The agent of a computer has connected.',
  'computer.offline':
    'The agent of a computer has gone: at once when it was shut down, 30 seconds after its connection broke, or after 60 seconds without a message.',
  'printer.added': 'A printer was reported for the first time, or is back after it was removed.',
  'printer.removed': 'A printer is no longer on its computer, or its computer was deleted.',
  'printer.online': 'A printer is online, and has been for 10 seconds.',
  'printer.offline':
    'A printer is offline, and has been for 10 seconds. While its whole computer is offline there are no events of its printers.',
  'printer.updated': 'A printer was changed: by `PATCH`, or something other than its state on its computer.',
}

function createEventSchema<Type extends EventType, Data extends z.ZodType>(type: Type, data: Data) {
  return z
    .object({
      id: id().meta({
        description:
          'The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has the events of a print job with the same ids.',
        example: EXAMPLE_IDS.event,
      }),
      type: z.literal(type).meta({ description: 'The type of the event.' }),
      timestamp: timestamp().meta({ description: 'The time of the event.', example: '2026-03-02T09:30:06.902Z' }),
      mode: mode('The mode of the print job, computer or printer.'),
      sequence: z.int().meta({
        description:
          'A number that grows with each event of the same print job, computer or printer, because deliveries can arrive in another order.',
        example: 5,
      }),
      data,
    })
    .meta({ id: eventSchemaName(type), description: EVENT_MEANINGS[type] })
}

/** Schemas by type, in the order of `EVENT_TYPES`. */
export const EVENT_SCHEMAS = new Map(EVENT_TYPES.map((type) => [type, createEventSchema(type, getKind(type).data)]))

/** An event of any type. */
export const EVENT = z
  .discriminatedUnion('type', [...EVENT_SCHEMAS.values()] as unknown as [z.ZodObject, ...z.ZodObject[]])
  .meta({
    id: 'Event',
    description: 'A change of a print job, a computer or a printer, as webhooks deliver it. New types can be added.',
    example: exampleEvent('printjob.done', 'live'),
  })

export const EVENT_PAGE = createPageSchema(EVENT, 'EventPage', 'events')

export type EventJson = Omit<z.infer<ReturnType<typeof createEventSchema<EventType, z.ZodType>>>, 'data'> & {
  data: object
}
