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
      data: z.array(resource).meta({ description: `The ${what} of this page, in the order that was asked for.` }),
      hasMore: z.boolean().meta({ description: 'Whether more follow behind this page.', example: false }),
      nextCursor: z.string().nullable().meta({
        description:
          'Send it as `after` to go on behind this page. It is set on the last page too, so that a poller can go on; on an empty page it is the cursor that was sent, or null.',
        example: 'AZpcITt6fw6hxF0uj5tqAw',
      }),
    })
    .meta({ id, description: `A page of ${what}.` })
}
