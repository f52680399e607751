/** Reference: docs/reference/errors.md#envelope. */
import { z } from 'zod'

export const ERROR = z
  .object({
    error: z
      .object({
        code: z.string().describe('What went wrong, for programs. A code never changes its meaning.'),
        message: z.string().describe('What went wrong and what to do, for people. The wording may change.'),
        request_id: z.string().describe('Equals the header `X-Request-Id`. Name it when you ask for help.'),
        upgrade_url: z.url().optional().describe('Where to get a larger plan. Only with `quota_exceeded`.'),
      })
      .describe('The failure.'),
  })
  .describe('The body of every answer that is not a success.')
