/** The credentials of a protected URL (RFC 7617). Reference: docs/reference/print-jobs.md#creation. */

import { text } from '@platen/resources/text.ts'
import { z } from 'zod'

const LENGTH_MAX = 1_024

const credential = (permitted: RegExp, rule: string) =>
  text().max(LENGTH_MAX, `must have at most ${LENGTH_MAX} characters`).regex(permitted, rule)

const anObject = {
  error: (issue: { code?: string }) => (issue.code === 'invalid_type' ? 'must be an object' : undefined),
}

export const AUTHENTICATION = z
  .strictObject(
    {
      type: z.literal('BasicAuth', 'must be `BasicAuth`').meta({ description: 'The authentication scheme.' }),
      credentials: z
        .strictObject(
          {
            // In Basic credentials the first colon ends the user name. The expressions refuse control characters.
            // biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
            user: credential(/^[^:\u0000-\u001f\u007f]*$/, 'must not contain a colon or control characters').meta({
              description: 'The user name.',
            }),
            // biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
            pass: credential(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters').meta({
              description: 'The password.',
            }),
          },
          anObject,
        )
        .meta({ id: 'DocumentCredentials', description: 'User name and password for the URL of a document.' }),
    },
    anObject,
  )
  .meta({ id: 'DocumentAuthentication', description: 'The authentication at the URL of a document.' })
