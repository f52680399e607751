import { exampleEvent } from '@platen/resources/event-examples.ts'
import { EVENT_SCHEMAS } from '@platen/resources/event-schema.ts'
import { createPageSchema } from '@platen/resources/page-schema.ts'
import { z } from 'zod'

/** An event of any type. */
export const EVENT = z
  .discriminatedUnion('type', [...EVENT_SCHEMAS.values()] as unknown as [z.ZodObject, ...z.ZodObject[]])
  .meta({
    id: 'Event',
    description:
      'Something that happened to a print job, a computer or a printer: what webhooks deliver. New types may come.',
    example: exampleEvent('printjob.done', 'live'),
  })

export const EVENT_PAGE = createPageSchema(EVENT, 'EventPage', 'events')
