/** Reference: docs/reference/pagination.md#page. */
import { z } from 'zod'

/** @param what is listed: "printers". */
export function pageOf<Resource extends z.ZodType>(resource: Resource, what: string) {
  return z
    .object({
      data: z.array(resource).describe(`The ${what} of this page, in the order that was asked for.`),
      hasMore: z.boolean().describe('Whether more follow behind this page.'),
      nextCursor: z
        .string()
        .nullable()
        .describe(
          'Send it as `after` to go on behind this page. It is set on the last page too, so that a poller can go on; on an empty page it is the cursor that was sent, or null.',
        ),
    })
    .describe(`A page of ${what}.`)
}
