/** Reference: docs/reference/events.md#types. */
import { EVENT_SCHEMAS } from '@platen/resources/event-schema.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { z } from 'zod'

/** An event of any type. */
export const EVENT = z
  .discriminatedUnion('type', [...EVENT_SCHEMAS.values()] as unknown as [z.ZodObject, ...z.ZodObject[]])
  .describe(
    'Something that happened to a print job, a computer or a printer: what webhooks deliver. New types may come.',
  )

const EVENT_TYPE = z.object({
  type: z.enum(EVENT_TYPES).describe('The type, as endpoints subscribe to it.'),
  description: z.string().describe('When such an event happens.'),
  schema: z
    .record(z.string(), z.unknown())
    .describe('The JSON Schema (draft 2020-12) of such an event, complete in itself.'),
  example: z.record(z.string(), z.unknown()).describe('Such an event.'),
})

export const EVENT_TYPE_LIST = z
  .object({ data: z.array(EVENT_TYPE).describe('Every type of event, in the order of the documentation.') })
  .describe('All types of events. This list has no pages.')
