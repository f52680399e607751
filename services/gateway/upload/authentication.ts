/** The credentials of a protected URL (RFC 7617). Reference: docs/reference/print-jobs.md#creation. */

import { text } from '@platen/resources/text.ts'
import { z } from 'zod'

const LENGTH_MAX = 1_024

const credential = () =>
  text()
    .max(LENGTH_MAX, `must have at most ${LENGTH_MAX} characters`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression refuses them.
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters')

const anObject = {
  error: (issue: { code?: string }) => (issue.code === 'invalid_type' ? 'must be an object' : undefined),
}

export const AUTHENTICATION = z.strictObject(
  {
    type: z.literal('BasicAuth', 'must be `BasicAuth`').meta({ description: 'The authentication scheme.' }),
    credentials: z
      .strictObject(
        {
          // In Basic credentials the first colon ends the user name.
          user: credential()
            .regex(/^[^:]*$/, 'must not contain a colon')
            .meta({ description: 'The user name.' }),
          pass: credential().meta({ description: 'The password.' }),
        },
        anObject,
      )
      .meta({ description: 'The credentials to send.' }),
  },
  anObject,
)
