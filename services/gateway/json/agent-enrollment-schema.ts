/** Reference: docs/reference/agents.md#enrolment. */

import { id } from '@platen/resources/fields.ts'
import { z } from 'zod'

export const ENROLLED_AGENT = z
  .object({
    computerId: id().describe('The id of the computer, the same as before when `previousCredential` was its own.'),
    credential: z.string().describe('What the agent proves itself by from now on. It is shown this once.'),
    agentUrl: z.string().describe('Where the agent connects.'),
  })
  .describe('A computer that is enrolled.')
