/** Reference: docs/reference/agents.md#enrolment-tokens. */

import { id, timestamp } from '@platen/resources/fields.ts'
import { z } from 'zod'

export const ENROLLMENT = z
  .object({
    id: id().describe('The id of the token.'),
    token: z.string().describe('Give it to the agent. It is shown this once.'),
    expiresAt: timestamp().describe('Until when it can be used.'),
    maxUses: z.int().describe('How many computers can be enrolled with it.'),
  })
  .describe('A token with which agents enrol their computers.')
