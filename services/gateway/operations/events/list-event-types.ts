import { exampleEvent } from '@platen/resources/event-examples.ts'
import { EVENT_MEANINGS, EVENT_SCHEMAS } from '@platen/resources/event-schema.ts'
import { EVENT_TYPE } from '@platen/resources/event-types.ts'
import { z } from 'zod'
import { toJsonSchema } from '../../json-schema.ts'
import { operation } from '../../operation/operation.ts'

const DESCRIBED_TYPE = z
  .object({
    type: EVENT_TYPE,
    description: z
      .string()
      .meta({ description: 'The cause of such an event.', example: EVENT_MEANINGS['printjob.done'] }),
    schema: z.record(z.string(), z.unknown()).meta({
      description: 'The JSON Schema (draft 2020-12) of such an event, without references.',
      example: { type: 'object', required: ['id', 'type', 'timestamp', 'mode', 'sequence', 'data'] },
    }),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'An example of such an event.', example: exampleEvent('printjob.done', 'live') }),
  })
  .meta({ id: 'EventTypeDescription', description: 'A type of events.' })

const EVENT_TYPE_LIST = z
  .object({
    data: z.array(DESCRIBED_TYPE).meta({ description: 'All types of events, in the order of the documentation.' }),
    hasMore: z.boolean().meta({ description: 'Always `false`, because all types are on one page.', example: false }),
    nextCursor: z.string().nullable().meta({ description: 'Always `null`.', example: null }),
  })
  .meta({ id: 'EventTypeList', description: 'All types of events. This list has no pages.' })

export const listEventTypes = operation({
  operationId: 'listEventTypes',
  method: 'get',
  path: '/v1/event-types',
  scope: 'read',
  tag: 'Events',
  summary: 'List the types of events',
  description:
    'Lists all types of events with their cause, JSON Schema and an example. The list has no pages and is the same for all keys.',
  answer: { status: 200, description: 'All types of events.', schema: EVENT_TYPE_LIST },
  handle: () => {
    const data = [...EVENT_SCHEMAS].map(([type, schema]) => ({
      type,
      description: EVENT_MEANINGS[type],
      schema: toJsonSchema(schema),
      example: exampleEvent(type, 'live'),
    }))
    return () => ({ data, hasMore: false, nextCursor: null })
  },
})
