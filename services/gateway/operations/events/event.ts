import { exampleEvent } from '@platen/resources/event-examples.ts'
import { EVENT_SCHEMAS } from '@platen/resources/event-schema.ts'
import { createPageSchema } from '@platen/resources/page-schema.ts'
import { z } from 'zod'

/** An event of any type. */
export const EVENT = z
  .discriminatedUnion('type', [...EVENT_SCHEMAS.values()] as unknown as [z.ZodObject, ...z.ZodObject[]])
  .meta({
    id: 'Event',
    description: 'A change of a print job, a computer or a printer, as webhooks deliver it. New types can be added.',
    example: exampleEvent('printjob.done', 'live'),
  })

export const EVENT_PAGE = createPageSchema(EVENT, 'EventPage', 'events')
