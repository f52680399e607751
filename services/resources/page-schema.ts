/** Reference: docs/reference/pagination.md#page. */
import { z } from 'zod'

/**
 * A page of a list.
 *
 * @param id names the schema in the OpenAPI document, so each may be made once: `PrinterPage`.
 * @param what is listed: "printers".
 */
export function createPageSchema<Resource extends z.ZodType>(resource: Resource, id: string, what: string) {
  return z
    .object({
      data: z.array(resource).meta({ description: `The ${what} of this page, in the requested order.` }),
      hasMore: z.boolean().meta({ description: 'True if more items follow this page.', example: false }),
      nextCursor: z.string().nullable().meta({
        description:
          'The cursor of the end of this page. Send it as `after` to get the next page. The last page has one as well, so that a poller can continue. An empty page repeats the sent cursor, or has null.',
        example: 'AZpcITt6fw6hxF0uj5tqAw',
      }),
    })
    .meta({ id, description: `A page of ${what}.` })
}
